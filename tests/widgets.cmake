# SPDX-License-Identifier: GPL-3.0-or-later
if(FORESIGHT_GUI)
  foreach(unit theme number_format histogram tree_layout tree_canvas reliability scatter recovered interval table filter_bar
               source_view small_widgets)
    foresight_test(tst_${unit} WIDGETS LINKS foresight_widgets)
  endforeach()

  # Every widget with sample data, to look at; as a test it makes the pictures and fails on Qt warnings.
  add_executable(widget_gallery gui/widget_gallery.cpp)
  target_link_libraries(widget_gallery PRIVATE foresight_flags foresight_widgets)
  set_target_properties(widget_gallery PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests")
  foreach(scale 1 2)
    add_test(NAME widget_gallery_${scale}x COMMAND widget_gallery --out "${CMAKE_BINARY_DIR}/gallery")
    set_tests_properties(widget_gallery_${scale}x PROPERTIES TIMEOUT 240
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=${scale}")
  endforeach()
endif()
