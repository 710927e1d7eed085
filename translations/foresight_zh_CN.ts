<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Language</name>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
</context>
<context>
    <name>foresight::CalibrationView</name>
    <message>
        <source>Most likely bin</source>
        <translation>最可能的区间</translation>
    </message>
    <message>
        <source>Speedup above %1</source>
        <translation>加速比高于 %1</translation>
    </message>
    <message>
        <source>Which probability is checked</source>
        <translation>检验哪一种概率</translation>
    </message>
    <message>
        <source>Reliability of the forecasts</source>
        <translation>预测的可靠性</translation>
    </message>
    <message>
        <source>Scores of the forecasts</source>
        <translation>预测的评分</translation>
    </message>
    <message>
        <source>No forecast has met its measurement yet.</source>
        <translation>还没有任何预测得到实测结果。</translation>
    </message>
    <message>
        <source>No search yet: forecasts are judged here against what was measured.</source>
        <translation>尚无搜索：此处将预测与实测结果对照评判。</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s) with an outcome, over %1.</source>
        <translation>
            <numerusform>%n 个预测已有结果，加速比相对于 %1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of the start, made before anything was known, left out.</source>
        <translation>
            <numerusform>已排除起始阶段在一无所知时做出的 %n 个预测。</numerusform>
        </translation>
    </message>
    <message>
        <source>Too few to judge: look at the bands.</source>
        <translation>数量太少，无法判断：请看置信带。</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>无数据</translation>
    </message>
    <message>
        <source>ECE</source>
        <translation>ECE</translation>
    </message>
    <message>
        <source>Expected calibration error, ten bins of equal width.</source>
        <translation>期望校准误差，十个等宽区间。</translation>
    </message>
    <message>
        <source>ECE if perfect, 95 %</source>
        <translation>完美校准时的 ECE，95 %</translation>
    </message>
    <message>
        <source>A perfectly calibrated forecaster stays below this in 95 of 100 cases at this number of rows.</source>
        <translation>在这一行数下，完美校准的预测器在 100 次中有 95 次低于此值。</translation>
    </message>
    <message>
        <source>ECE of climatology</source>
        <translation>气候态的 ECE</translation>
    </message>
    <message>
        <source>Of always forecasting the frequencies so far.</source>
        <translation>始终以迄今为止的频率作为预测时的值。</translation>
    </message>
    <message>
        <source>Largest gap</source>
        <translation>最大差距</translation>
    </message>
    <message>
        <source>Largest distance of a bar from the diagonal.</source>
        <translation>条柱到对角线的最大距离。</translation>
    </message>
    <message>
        <source>Half-Brier</source>
        <translation>半 Brier 分数</translation>
    </message>
    <message>
        <source>Mean squared error of the eight probabilities, halved. The uniform forecast has 0.4375.</source>
        <translation>八个概率的均方误差的一半。均匀预测为 0.4375。</translation>
    </message>
    <message>
        <source>RPS</source>
        <translation>RPS</translation>
    </message>
    <message>
        <source>Ranked probability score: like Brier, but a miss by one bin costs less than by five.</source>
        <translation>排序概率评分：与 Brier 分数类似，但偏差一个区间的代价小于偏差五个区间。</translation>
    </message>
    <message>
        <source>RPS skill</source>
        <translation>RPS 技巧评分</translation>
    </message>
    <message>
        <source>1 is perfect, 0 no better than climatology, below 0 worse.</source>
        <translation>1 为完美，0 表示不优于气候态，低于 0 则更差。</translation>
    </message>
    <message>
        <source>Log loss</source>
        <translation>对数损失</translation>
    </message>
    <message>
        <source>Negative log likelihood of the true bin.</source>
        <translation>真实区间的负对数似然。</translation>
    </message>
    <message>
        <source>Forecast error (log2)</source>
        <translation>预测误差（log2）</translation>
    </message>
    <message>
        <source>Mean distance of the most likely bin&apos;s representative from the measured log2 speedup.</source>
        <translation>最可能区间的代表值与实测 log2 加速比之间的平均距离。</translation>
    </message>
    <message>
        <source>Error against confidence</source>
        <translation>误差与置信度的关系</translation>
    </message>
    <message>
        <source>Spearman&apos;s rank correlation; negative is good: the surer, the closer.</source>
        <translation>Spearman 秩相关系数；负值为好：越有把握，就越接近。</translation>
    </message>
    <message>
        <source>Equal width</source>
        <translation>等宽</translation>
    </message>
    <message>
        <source>Equal counts</source>
        <translation>等量</translation>
    </message>
    <message>
        <source>How confidences are put into bars</source>
        <translation>置信度如何分组</translation>
    </message>
    <message>
        <source>Bars of equal width, or with equally many forecasts in each</source>
        <translation>等宽分组，或每组预测数量相等</translation>
    </message>
    <message>
        <source>Which table of speedup bins</source>
        <translation>使用哪个加速比区间表</translation>
    </message>
    <message>
        <source>Two tables of the eight bins are in use; forecasts are binned again for the one chosen</source>
        <translation>八个区间有两种通用的划分表；预测会按所选的表重新分组</translation>
    </message>
    <message>
        <source>Audited, chosen at random (%1)</source>
        <translation>抽查，随机选取（%1）</translation>
    </message>
    <message>
        <source>First half (%1)</source>
        <translation>前半（%1）</translation>
    </message>
    <message>
        <source>Second half (%1)</source>
        <translation>后半（%1）</translation>
    </message>
    <message>
        <source>Of few forecasts it is large even for a perfect forecaster.</source>
        <translation>预测数量少时，即使完美的预测器该值也会很大。</translation>
    </message>
</context>
<context>
    <name>foresight::Capabilities</name>
    <message>
        <source>Open recorded sessions and search over recorded measurements</source>
        <translation>打开录制的会话，并基于录制的实测数据进行搜索</translation>
    </message>
    <message>
        <source>Recorded sessions and kernel families are missing</source>
        <translation>缺少录制的会话和内核族</translation>
    </message>
    <message>
        <source>Measure kernels on the GPU of this machine</source>
        <translation>在本机的 GPU 上实测内核</translation>
    </message>
    <message>
        <source>Measure kernels on a GPU</source>
        <translation>在 GPU 上实测内核</translation>
    </message>
    <message>
        <source>no NVIDIA driver here; recorded measurements answer instead</source>
        <translation>本机没有 NVIDIA 驱动程序；改由录制的实测数据给出结果</translation>
    </message>
    <message>
        <source>this build has no foresight-worker: build with the CUDA toolkit&apos;s headers</source>
        <translation>此构建不含 foresight-worker：请使用 CUDA 工具包的头文件构建</translation>
    </message>
    <message>
        <source>Everything in detail: foresight-cli doctor</source>
        <translation>完整详情：foresight-cli doctor</translation>
    </message>
</context>
<context>
    <name>foresight::FilterBar</name>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Not a valid expression at character %1: %2. The last valid filter stays in force.</source>
        <translation>第 %1 个字符处的表达式无效：%2。继续使用上一个有效的筛选条件。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>rows shown of all rows</comment>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>foresight::ForecastsView</name>
    <message>
        <source>Select a node of the search tree to see what was forecast for it.</source>
        <translation>在搜索树中选择一个节点，查看对它的预测。</translation>
    </message>
    <message>
        <source>Forecast of the selected node</source>
        <translation>所选节点的预测</translation>
    </message>
    <message>
        <source>Forecasts of the same expansion</source>
        <translation>同一次扩展的预测</translation>
    </message>
    <message>
        <source>Forecast against measured speedup</source>
        <translation>预测与实测加速比的对照</translation>
    </message>
    <message>
        <source>#%1, forecast by %2 (model %3)</source>
        <translation>#%1，由 %2 预测（模型 %3）</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>No search yet: start one from the Operators panel.</source>
        <translation>尚无搜索：请从“算子”面板开始搜索。</translation>
    </message>
    <message>
        <source>measured above this line, skipped below</source>
        <translation>此线以上实测，以下跳过</translation>
    </message>
    <message>
        <source>Against measured</source>
        <translation>对照实测</translation>
    </message>
    <message>
        <source>Same expansion</source>
        <translation>同一次扩展</translation>
    </message>
    <message>
        <source>Speedups over %1</source>
        <translation>相对于 %1 的加速比</translation>
    </message>
</context>
<context>
    <name>foresight::GuardModel</name>
    <message>
        <source>search %1</source>
        <translation>搜索 %1</translation>
    </message>
    <message>
        <source>deploy</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>recorded measurements; confirm on a GPU before deploying</source>
        <translation>录制的实测数据；部署前请在 GPU 上确认</translation>
    </message>
    <message>
        <source>measured here, confirmed in two processes</source>
        <translation>在本机实测，并在两个进程中确认</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>裁定</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>slower than the original</source>
        <translation>比原实现慢</translation>
    </message>
    <message>
        <source>the gain is not certain enough</source>
        <translation>收益不够确定</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>results change between runs</source>
        <translation>各次运行的结果不一致</translation>
    </message>
    <message>
        <source>faster than the hardware allows</source>
        <translation>快于硬件所允许的速度</translation>
    </message>
    <message>
        <source>does not build</source>
        <translation>无法构建</translation>
    </message>
    <message>
        <source>does not end in time</source>
        <translation>未按时结束</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>not confirmed in two fresh processes</source>
        <translation>未在两个全新进程中得到确认</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>没有任何实测</translation>
    </message>
    <message>
        <source>GPU, driver or toolkit changed</source>
        <translation>GPU、驱动程序或工具包已更改</translation>
    </message>
    <message>
        <source>not supported here</source>
        <translation>此处不支持</translation>
    </message>
</context>
<context>
    <name>foresight::GuardView</name>
    <message>
        <source>Verdicts</source>
        <translation>裁定</translation>
    </message>
    <message>
        <source>Speedup intervals of searched operators</source>
        <translation>已搜索算子的加速比区间</translation>
    </message>
    <message>
        <source>No verdict yet</source>
        <translation>尚无裁定</translation>
    </message>
    <message>
        <source>When a search ends, the guard decides here whether its best kernel may replace the original, and why.</source>
        <translation>搜索结束后，守卫在此裁定找到的最佳内核能否替换原实现，并说明原因。</translation>
    </message>
    <message>
        <source>search %1</source>
        <translation>搜索 %1</translation>
    </message>
</context>
<context>
    <name>foresight::Histogram8</name>
    <message>
        <source>No forecast: select a candidate</source>
        <translation>无预测：请选择一个候选</translation>
    </message>
    <message>
        <source>Forecast histogram</source>
        <translation>预测直方图</translation>
    </message>
    <message>
        <source>fails to run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>高于 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Bin %1, %2 (%3): %4</source>
        <translation>区间 %1，%2（%3）：%4</translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>speedup over the baseline</source>
        <translation>相对于基线的加速比</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>期望 %1</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>实测 %1</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未实测</translation>
    </message>
    <message>
        <source>severe slowdown</source>
        <translation>严重减速</translation>
    </message>
    <message>
        <source>significant slowdown</source>
        <translation>显著减速</translation>
    </message>
    <message>
        <source>moderate slowdown</source>
        <translation>中等减速</translation>
    </message>
    <message>
        <source>minor slowdown</source>
        <translation>轻微减速</translation>
    </message>
    <message>
        <source>minor speedup</source>
        <translation>轻微加速</translation>
    </message>
    <message>
        <source>significant speedup</source>
        <translation>显著加速</translation>
    </message>
    <message>
        <source>high speedup</source>
        <translation>高度加速</translation>
    </message>
    <message>
        <source>extreme speedup</source>
        <translation>极高加速</translation>
    </message>
    <message>
        <source>No forecast.</source>
        <translation>无预测。</translation>
    </message>
    <message>
        <source>most likely %1 (%2).</source>
        <translation>最可能为%1（%2）。</translation>
    </message>
    <message>
        <source>Expected speedup %1.</source>
        <translation>期望加速比 %1。</translation>
    </message>
    <message>
        <source>Fails to run: %1, wrong result: %2.</source>
        <translation>无法运行：%1，结果错误：%2。</translation>
    </message>
    <message>
        <source>Measuring it failed: %1.</source>
        <translation>实测失败：%1。</translation>
    </message>
    <message>
        <source>Measured: %1, %2.</source>
        <translation>实测：%1，%2。</translation>
    </message>
    <message>
        <source>Not measured.</source>
        <translation>未实测。</translation>
    </message>
    <message>
        <source>speedup over %1</source>
        <translation>相对于 %1 的加速比</translation>
    </message>
</context>
<context>
    <name>foresight::HistogramGrid</name>
    <message>
        <source>skipped from here on</source>
        <translation>自此起跳过</translation>
    </message>
    <message>
        <source>Forecasts of the siblings</source>
        <translation>同级候选的预测</translation>
    </message>
    <message>
        <source>No siblings with forecasts</source>
        <translation>没有带预测的同级候选</translation>
    </message>
    <message>
        <source>(audit)</source>
        <translation>（抽查）</translation>
    </message>
    <message>
        <source>No siblings with forecasts.</source>
        <translation>没有带预测的同级候选。</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s) of siblings,</source>
        <translation>
            <numerusform>%n 个同级候选的预测，</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them chosen for measuring.</source>
        <translation>
            <numerusform>其中 %n 个被选中实测。</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>已选：%1</translation>
    </message>
</context>
<context>
    <name>foresight::IntervalPlot</name>
    <message>
        <source>deploy</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>Verdict intervals</source>
        <translation>裁定区间</translation>
    </message>
    <message>
        <source>No verdicts: search an operator first</source>
        <translation>无裁定：请先搜索一个算子</translation>
    </message>
    <message>
        <source>margin %1</source>
        <translation>裕量 %1</translation>
    </message>
    <message>
        <source>nothing measured yet</source>
        <translation>尚无实测</translation>
    </message>
    <message>
        <source>verdict: %1</source>
        <translation>裁定：%1</translation>
    </message>
    <message>
        <source>%1, interval %2 to %3</source>
        <translation>%1，区间 %2 至 %3</translation>
    </message>
    <message>
        <source>Verdicts per operator. None yet: search an operator first.</source>
        <translation>各算子的裁定。尚无裁定：请先搜索一个算子。</translation>
    </message>
    <message numerus="yes">
        <source>Verdicts of %n operator(s),</source>
        <translation>
            <numerusform>%n 个算子的裁定，</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to deploy, against a margin of %1.</source>
        <translation>
            <numerusform>其中 %n 个可部署，裕量为 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1, %2.</source>
        <translation>已选：%1，%2。</translation>
    </message>
    <message>
        <source>Speedup %1, interval %2 to %3.</source>
        <translation>加速比 %1，区间 %2 至 %3。</translation>
    </message>
</context>
<context>
    <name>foresight::KeyValueTable</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Copy Value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy Name and Value</source>
        <translation>复制名称和值</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>全部复制</translation>
    </message>
</context>
<context>
    <name>foresight::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的会话(&amp;R)</translation>
    </message>
    <message>
        <source>Recorded &amp;sessions</source>
        <translation>录制的会话(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Export &amp;report…</source>
        <translation>导出报告(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>搜索(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Step one &amp;expansion</source>
        <translation>单步执行一次扩展(&amp;E)</translation>
    </message>
    <message>
        <source>Step one e&amp;vent</source>
        <translation>单步执行一个事件(&amp;V)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Resume &amp;interrupted search</source>
        <translation>恢复中断的搜索(&amp;I)</translation>
    </message>
    <message>
        <source> measurements</source>
        <translation> 次实测</translation>
    </message>
    <message>
        <source>Budget of the next search</source>
        <translation>下一次搜索的预算</translation>
    </message>
    <message>
        <source>Budget of the next search, in measurements</source>
        <translation>下一次搜索的预算（实测次数）</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>10 per second</source>
        <translation>每秒 10 次</translation>
    </message>
    <message>
        <source>2 per second</source>
        <translation>每秒 2 次</translation>
    </message>
    <message>
        <source>How fast a search over recorded measurements runs, so that it can be watched</source>
        <translation>基于录制的实测数据的搜索以多快的速度运行，以便观察</translation>
    </message>
    <message>
        <source>Pace of recorded searches</source>
        <translation>录制搜索的节奏</translation>
    </message>
    <message>
        <source>Speedups over</source>
        <translation>加速比相对于</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>family default</source>
        <translation>内核族默认配置</translation>
    </message>
    <message>
        <source>What the speedups in tree, forecasts and calibration are relative to. Verdicts are always over the baseline.</source>
        <translation>搜索树、预测和校准中的加速比相对于什么。裁定始终相对于基线。</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Layouts</source>
        <translation>布局(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Save this layout…</source>
        <translation>保存此布局(&amp;S)…</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>&amp;Reset to the default</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>L&amp;anguage</source>
        <translation>语言(&amp;A)</translation>
    </message>
    <message>
        <source>The language changes when Foresight starts again.</source>
        <translation>语言将在 Foresight 下次启动时更改。</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Foresight</source>
        <translation>关于 Foresight(&amp;A)</translation>
    </message>
    <message>
        <source>About Foresight</source>
        <translation>关于 Foresight</translation>
    </message>
    <message>
        <source>Foresight %1 (%2)

A debugger for kernel search: profile, search, forecast, guard.
The window is free software under the GNU GPL 3 or later, the engine under the Apache License 2.0.</source>
        <translation>Foresight %1（%2）

内核搜索的调试器：剖析、搜索、预测、守卫。
本窗口程序是自由软件，采用 GNU GPL 3 或更高版本授权；引擎采用 Apache License 2.0 授权。</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>尚无记录</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>清除这些记录</translation>
    </message>
    <message>
        <source>Save a copy of the session</source>
        <translation>保存会话副本</translation>
    </message>
    <message>
        <source>Foresight sessions (*.fsight)</source>
        <translation>Foresight 会话 (*.fsight)</translation>
    </message>
    <message>
        <source>Folder for the report</source>
        <translation>报告文件夹</translation>
    </message>
    <message>
        <source>Report written: %1</source>
        <translation>报告已写入：%1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>%1: %2 of %3 measurements</source>
        <translation>%1：%2 / %3 次实测</translation>
    </message>
    <message>
        <source>%1: %2 measurements</source>
        <translation>%1：%2 次实测</translation>
    </message>
    <message>
        <source>, best %1</source>
        <translation>，最佳 %1</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Search tree</source>
        <translation>搜索树</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Forecasts</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Recovered speedup</source>
        <translation>已获加速比</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>The session is read-only; the search is kept in a working copy: %1</source>
        <translation>会话为只读；搜索保存在工作副本中：%1</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) dropped</source>
        <translation>
            <numerusform>丢弃了 %n 条记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The search of %1 was interrupted after %n measurement(s). Nothing is lost.</source>
        <translation>
            <numerusform>对 %1 的搜索在 %n 次实测后中断。没有丢失任何数据。</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>No operator of this session can be searched here: none matches a kernel family with recorded measurements, and there is no GPU.</source>
        <translation>此会话中没有可在此处搜索的算子：没有算子匹配带有录制实测数据的内核族，且本机没有 GPU。</translation>
    </message>
    <message>
        <source>Foresight</source>
        <translation>Foresight</translation>
    </message>
    <message>
        <source>%1 – Foresight</source>
        <translation>%1 – Foresight</translation>
    </message>
    <message>
        <source>%1, recorded on %2</source>
        <translation>%1，录制于 %2</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1，录制的</translation>
    </message>
    <message>
        <source>There is nothing to resume: this session has no interrupted search.</source>
        <translation>没有可恢复的内容：此会话没有中断的搜索。</translation>
    </message>
    <message>
        <source>%1 per second</source>
        <translation>每秒 %1 次</translation>
    </message>
</context>
<context>
    <name>foresight::NodeDetails</name>
    <message>
        <source>Forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Expected speedup over %1</source>
        <translation>相对于 %1 的期望加速比</translation>
    </message>
    <message>
        <source>Geometric mean, given that it works.</source>
        <translation>在能正常工作的前提下的几何平均值。</translation>
    </message>
    <message>
        <source>Most likely</source>
        <translation>最可能</translation>
    </message>
    <message>
        <source>Does not build or run</source>
        <translation>无法构建或运行</translation>
    </message>
    <message>
        <source>Wrong result</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>预测者</translation>
    </message>
    <message>
        <source>%1, model %2%3</source>
        <translation>%1，模型 %2%3</translation>
    </message>
    <message>
        <source>, before any measurement</source>
        <translation>，在任何实测之前</translation>
    </message>
    <message>
        <source>Skipped by</source>
        <translation>跳过规则</translation>
    </message>
    <message>
        <source>Chosen by</source>
        <translation>选择规则</translation>
    </message>
    <message>
        <source>Rank in its batch</source>
        <translation>批内排名</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>抽查</translation>
    </message>
    <message>
        <source>measured although skipped, to keep the statistics honest</source>
        <translation>虽被跳过仍进行实测，以保证统计真实可信</translation>
    </message>
    <message>
        <source>Recorded measurement</source>
        <translation>录制的实测</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Speedup over %1</source>
        <translation>相对于 %1 的加速比</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Anchor beside it</source>
        <translation>同时测得的锚点</translation>
    </message>
    <message>
        <source>The family&apos;s default configuration, timed in the same process.</source>
        <translation>内核族的默认配置，在同一进程中计时。</translation>
    </message>
    <message>
        <source>Quads</source>
        <translation>四元组数</translation>
    </message>
    <message>
        <source>Regime</source>
        <translation>缓存状态</translation>
    </message>
    <message>
        <source>cold cache</source>
        <translation>冷缓存</translation>
    </message>
    <message>
        <source>hot cache</source>
        <translation>热缓存</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>%1 registers, %2 shared, occupancy %3</source>
        <translation>%1 个寄存器，%2 共享内存，占用率 %3</translation>
    </message>
    <message>
        <source>, %1 spilled</source>
        <translation>，溢出 %1</translation>
    </message>
    <message>
        <source>limited by %1</source>
        <translation>受限于 %1</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>failed: %1 (%2)</source>
        <translation>失败：%1（%2）</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>%1 absolute, %2 relative</source>
        <translation>绝对 %1，相对 %2</translation>
    </message>
    <message>
        <source>First bad element</source>
        <translation>第一个错误元素</translation>
    </message>
    <message>
        <source>%1[%2] is %3, expected %4</source>
        <translation>%1[%2] 为 %3，应为 %4</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>测量条件</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM 时钟</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>does not build</source>
        <translation>无法构建</translation>
    </message>
    <message>
        <source>exceeds a limit of this GPU or its own requirements</source>
        <translation>超出此 GPU 的限制或其自身的要求</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>leaves output elements unwritten</source>
        <translation>有输出元素未写入</translation>
    </message>
    <message>
        <source>replays an old result</source>
        <translation>重放旧结果</translation>
    </message>
    <message>
        <source>results change between runs</source>
        <translation>各次运行的结果不一致</translation>
    </message>
    <message>
        <source>writes outside its buffers</source>
        <translation>写到其缓冲区之外</translation>
    </message>
    <message>
        <source>modifies its inputs</source>
        <translation>修改其输入</translation>
    </message>
    <message>
        <source>work outlives the timed window</source>
        <translation>计算持续到计时窗口之外</translation>
    </message>
    <message>
        <source>faster than the hardware allows</source>
        <translation>快于硬件所允许的速度</translation>
    </message>
    <message>
        <source>did not end in time</source>
        <translation>未按时结束</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>not in the recorded space</source>
        <translation>不在录制的空间内</translation>
    </message>
    <message>
        <source>the GPU is unwell</source>
        <translation>GPU 状态异常</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>internal error</source>
        <translation>内部错误</translation>
    </message>
    <message>
        <source>Root: the whole space competes here with local refinement.</source>
        <translation>根：整个空间在此与局部细化竞争。</translation>
    </message>
    <message>
        <source>%1: waiting for a decision</source>
        <translation>%1：等待决定</translation>
    </message>
    <message>
        <source>%1: running</source>
        <translation>%1：运行中</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>处理办法</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Proposed by</source>
        <translation>提出者</translation>
    </message>
    <message>
        <source>Content hash</source>
        <translation>内容哈希</translation>
    </message>
    <message>
        <source>In the tree</source>
        <translation>在树中</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>父节点</translation>
    </message>
    <message>
        <source>root</source>
        <translation>根</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>子节点</translation>
    </message>
    <message>
        <source>Expansions</source>
        <translation>扩展次数</translation>
    </message>
    <message>
        <source>%1 of the node, %2 with its descendants</source>
        <translation>本节点 %1 次，含后代 %2 次</translation>
    </message>
    <message>
        <source>Proposed again</source>
        <translation>再次提出</translation>
    </message>
    <message>
        <source>%1: skipped, forecast %2 over %3</source>
        <translation>%1：已跳过，预测相对于 %3 为 %2</translation>
    </message>
    <message>
        <source>%1: %2 over %3</source>
        <translation>%1：相对于 %3 为 %2</translation>
    </message>
</context>
<context>
    <name>foresight::NodeView</name>
    <message>
        <source>Details of the candidate</source>
        <translation>候选的详细信息</translation>
    </message>
    <message>
        <source>Scores of the nodes that competed for this expansion</source>
        <translation>参与此次扩展竞争的节点的评分</translation>
    </message>
    <message>
        <source>Source of the candidate</source>
        <translation>候选的源代码</translation>
    </message>
    <message>
        <source>Compiler log</source>
        <translation>编译器日志</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>No node selected</source>
        <translation>未选择节点</translation>
    </message>
    <message>
        <source>Select a node of the search tree to see what it is, what was forecast and measured, and why it was chosen.</source>
        <translation>在搜索树中选择一个节点，查看它是什么、预测和实测结果如何，以及为何被选中。</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Q (log2)</source>
        <translation>Q（log2）</translation>
    </message>
    <message>
        <source>Prior</source>
        <translation>先验</translation>
    </message>
    <message>
        <source>Visits</source>
        <translation>访问次数</translation>
    </message>
    <message>
        <source>root</source>
        <translation>根</translation>
    </message>
    <message>
        <source>%1 (selected)</source>
        <translation>%1（已选）</translation>
    </message>
    <message>
        <source>No source is known for this candidate.</source>
        <translation>没有此候选的源代码。</translation>
    </message>
    <message>
        <source>Nothing was compiled for this candidate here.</source>
        <translation>本机没有为此候选编译任何内容。</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why this one: the scores of the nodes that competed for this expansion</source>
        <translation>为何是它：争夺这次扩展的各节点的得分</translation>
    </message>
</context>
<context>
    <name>foresight::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>foresight::OperatorsModel</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Part of another row: its headroom is counted there.</source>
        <translation>属于另一行的一部分：其可优化空间计入该行。</translation>
    </message>
    <message>
        <source>The least time this GPU needs: compulsory bytes, arithmetic, or an empty kernel.</source>
        <translation>此 GPU 所需的最短时间：必需的字节、算术运算或一个空内核。</translation>
    </message>
    <message>
        <source>An estimate: inputs and outputs read and written once.</source>
        <translation>估计值：输入和输出各读写一次。</translation>
    </message>
    <message>
        <source>Needs a GPU here: no recorded measurements of this shape.</source>
        <translation>需要本机有 GPU：没有此形状的录制实测数据。</translation>
    </message>
    <message>
        <source>%1 (part of another row)</source>
        <translation>%1（属于另一行）</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>searched</source>
        <translation>已搜索</translation>
    </message>
    <message>
        <source>%1 (needs a GPU)</source>
        <translation>%1（需要 GPU）</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1，录制的</translation>
    </message>
    <message>
        <source>deploy, %1</source>
        <translation>部署，%1</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>回退</translation>
    </message>
    <message numerus="yes">
        <source>grid %1×%2×%3, block %4×%5×%6, %n register(s)</source>
        <translation>
            <numerusform>网格 %1×%2×%3，线程块 %4×%5×%6，%n 个寄存器</numerusform>
        </translation>
    </message>
    <message>
        <source>Operator and module; its kernels below it</source>
        <translation>算子和模块；其内核列于下方</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Calls in the recorded window, exact</source>
        <translation>录制窗口内的调用次数，精确值</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Total GPU time in the recorded window (ms)</source>
        <translation>录制窗口内的总 GPU 时间（ms）</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU 时间</translation>
    </message>
    <message>
        <source>Share of all GPU time</source>
        <translation>占全部 GPU 时间的比例</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Mean GPU time of one call (µs)</source>
        <translation>单次调用的平均 GPU 时间（µs）</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>95th percentile of one call (µs)</source>
        <translation>单次调用的第 95 百分位数（µs）</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>The least time one call can take on this GPU (µs)</source>
        <translation>单次调用在此 GPU 上可能的最短时间（µs）</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Mean time as a multiple of the floor</source>
        <translation>平均时间相对于下限的倍数</translation>
    </message>
    <message>
        <source>× floor</source>
        <translation>× 下限</translation>
    </message>
    <message>
        <source>GPU time above the floor: what could be won back (ms)</source>
        <translation>高于下限的 GPU 时间：可以赢回的部分（ms）</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>可优化空间</translation>
    </message>
    <message>
        <source>Shapes and types of the inputs</source>
        <translation>输入的形状和类型</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Can it be searched, and has it been?</source>
        <translation>能否搜索，是否已搜索？</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>The guard&apos;s verdict on the best kernel found</source>
        <translation>守卫对所找到的最佳内核的裁定</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>裁定</translation>
    </message>
</context>
<context>
    <name>foresight::OperatorsView</name>
    <message>
        <source>Search for a faster kernel</source>
        <translation>搜索更快的内核</translation>
    </message>
    <message>
        <source>Filter by name, module, shape or kernel</source>
        <translation>按名称、模块、形状或内核筛选</translation>
    </message>
    <message>
        <source>Operators by headroom</source>
        <translation>按可优化空间排序的算子</translation>
    </message>
    <message>
        <source>No profile</source>
        <translation>无剖析数据</translation>
    </message>
    <message>
        <source>Operators of a recorded model appear here, ranked by how much of their GPU time could be won back.</source>
        <translation>录制的模型的算子显示在此处，按可赢回的 GPU 时间排序。</translation>
    </message>
    <message>
        <source>Open a session…</source>
        <translation>打开会话…</translation>
    </message>
    <message>
        <source>Select an operator first.</source>
        <translation>请先选择一个算子。</translation>
    </message>
    <message>
        <source>No kernel family implements this operator.</source>
        <translation>没有内核族实现此算子。</translation>
    </message>
    <message>
        <source>Search the family %1 for %2</source>
        <translation>在内核族 %1 中搜索 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n step(s), %2 of GPU time</source>
        <translation>
            <numerusform>%1，%n 步，GPU 时间 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 launch-bound</source>
        <translation>，其中启动受限 %1</translation>
    </message>
    <message>
        <source>%1 records, %2 dropped, %3 untimed, %4 unmatched.</source>
        <translation>%1 条记录，%2 条丢弃，%3 条无计时，%4 条未匹配。</translation>
    </message>
    <message>
        <source>No operator was recorded.</source>
        <translation>没有录制到任何算子。</translation>
    </message>
</context>
<context>
    <name>foresight::PlotWidget</name>
    <message>
        <source>Cannot write %1: %2. Choose another folder or free some space.</source>
        <translation>无法写入 %1：%2。请选择其他文件夹或释放一些空间。</translation>
    </message>
    <message>
        <source>Cannot export to &quot;%1&quot;: the name must end in .png, .svg or .pdf.</source>
        <translation>无法导出到“%1”：文件名必须以 .png、.svg 或 .pdf 结尾。</translation>
    </message>
    <message>
        <source>Copy Data as CSV</source>
        <translation>复制数据为 CSV</translation>
    </message>
    <message>
        <source>Copy Picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy Description</source>
        <translation>复制描述</translation>
    </message>
    <message>
        <source>Export Picture…</source>
        <translation>导出图片…</translation>
    </message>
    <message>
        <source>Export Picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg);;PNG picture (*.png);;PDF document (*.pdf)</source>
        <translation>SVG 绘图 (*.svg);;PNG 图片 (*.png);;PDF 文档 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>foresight::RecoveredPlot</name>
    <message>
        <source>Recovered speedup</source>
        <translation>已获加速比</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>实测次数</translation>
    </message>
    <message>
        <source>share of the best possible</source>
        <translation>占可能最佳值的比例</translation>
    </message>
    <message>
        <source>best speedup so far</source>
        <translation>迄今最佳加速比</translation>
    </message>
    <message>
        <source>No data: nothing has been measured yet</source>
        <translation>无数据：尚无实测</translation>
    </message>
    <message>
        <source>best possible</source>
        <translation>可能的最佳值</translation>
    </message>
    <message>
        <source>best possible: %1</source>
        <translation>可能的最佳值：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>curve: value</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>at %1 %2</source>
        <comment>number, unit</comment>
        <translation>%2 = %1 处</translation>
    </message>
    <message>
        <source>Best speedup so far against cost.</source>
        <translation>迄今最佳加速比与代价的关系。</translation>
    </message>
    <message>
        <source>%1 reaches %2 at %3 %4.</source>
        <comment>curve, value, number, unit</comment>
        <translation>%1在 %4 = %3 处达到 %2。</translation>
    </message>
    <message>
        <source>No data: nothing has been measured yet.</source>
        <translation>无数据：尚无实测。</translation>
    </message>
    <message>
        <source>The best possible is %1.</source>
        <translation>可能的最佳值为 %1。</translation>
    </message>
</context>
<context>
    <name>foresight::RecoveredView</name>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Share of the optimum</source>
        <translation>占最优值的比例</translation>
    </message>
    <message>
        <source>What the vertical axis shows</source>
        <translation>纵轴显示的内容</translation>
    </message>
    <message>
        <source>Best so far against measurements</source>
        <translation>迄今最佳值与实测次数的关系</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>实测次数</translation>
    </message>
    <message>
        <source>this search</source>
        <translation>本次搜索</translation>
    </message>
    <message>
        <source>random choice (exact expectation)</source>
        <translation>随机选择（精确期望）</translation>
    </message>
    <message>
        <source>No search yet. This panel shows the best speedup found against what it cost.</source>
        <translation>尚无搜索。此面板显示找到的最佳加速比及其代价。</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>尚无实测。</translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s)</source>
        <translation>
            <numerusform>%n 次实测</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the optimum after %2</source>
        <translation>%2后达到最优值的 %1</translation>
    </message>
    <message>
        <source>%1 over %2 after %3</source>
        <translation>%3后相对于 %2 达到 %1</translation>
    </message>
</context>
<context>
    <name>foresight::ReliabilityPlot</name>
    <message>
        <source>Reliability diagram</source>
        <translation>可靠性图</translation>
    </message>
    <message>
        <source>as forecast</source>
        <translation>原始预测</translation>
    </message>
    <message>
        <source>recalibrated</source>
        <translation>重新校准后</translation>
    </message>
    <message>
        <source>No data: no forecast has an outcome yet</source>
        <translation>无数据：尚无预测有结果</translation>
    </message>
    <message>
        <source>came true</source>
        <translation>实现比例</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>95 % if calibrated</source>
        <translation>校准时的 95 %</translation>
    </message>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>ECE %1</source>
        <translation>ECE %1</translation>
    </message>
    <message>
        <source>Confidence %1 to %2</source>
        <translation>置信度 %1 至 %2</translation>
    </message>
    <message>
        <source>no forecasts</source>
        <translation>无预测</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s), mean confidence %1, came true %2</source>
        <translation>
            <numerusform>%n 个预测，平均置信度 %1，实现比例 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>95 % band of the observed share: %1 to %2</source>
        <translation>观测比例的 95 % 置信带：%1 至 %2</translation>
    </message>
    <message>
        <source>95 % band if calibrated: %1 to %2</source>
        <translation>校准时的 95 % 置信带：%1 至 %2</translation>
    </message>
    <message>
        <source>Reliability diagram. No data: no forecast has an outcome yet.</source>
        <translation>可靠性图。无数据：尚无预测有结果。</translation>
    </message>
    <message numerus="yes">
        <source>Reliability diagram of %n forecast(s).</source>
        <translation>
            <numerusform>%n 个预测的可靠性图。</numerusform>
        </translation>
    </message>
    <message>
        <source>Expected calibration error %1.</source>
        <translation>期望校准误差 %1。</translation>
    </message>
    <message>
        <source>A calibrated forecaster would stay below %1 in 95 of 100 cases.</source>
        <translation>经过校准的预测器在 100 次中有 95 次低于 %1。</translation>
    </message>
    <message numerus="yes">
        <source>Largest gap: at confidence %1, %2 came true (%n forecast(s)).</source>
        <translation>
            <numerusform>最大差距：置信度为 %1 时，实现比例为 %2（%n 个预测）。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>foresight::Report</name>
    <message>
        <source>Operators by headroom</source>
        <translation>按可优化空间排序的算子</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU 时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Floor of a call</source>
        <translation>单次调用的下限</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>可优化空间</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>内核族</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Candidates forecast</source>
        <translation>已预测的候选</translation>
    </message>
    <message>
        <source>Skipped without measuring</source>
        <translation>未实测而跳过</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Best speedup</source>
        <translation>最佳加速比</translation>
    </message>
    <message>
        <source>Best candidate</source>
        <translation>最佳候选</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>裁定</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>裁定</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>deploy</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Foresight report</source>
        <translation>Foresight 报告</translation>
    </message>
    <message>
        <source>Foresight %1 (%2), %3</source>
        <translation>Foresight %1（%2），%3</translation>
    </message>
    <message>
        <source>Recorded on %1, driver %2, PyTorch %3, %4.</source>
        <translation>录制于 %1，驱动程序 %2，PyTorch %3，%4。</translation>
    </message>
    <message>
        <source>Longest time the window was kept from responding during the search: %1 ms.</source>
        <translation>搜索期间窗口无响应的最长时间：%1 ms。</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Without waiting for a processor that other work had: %1 ms.</source>
        <translation>不计等待被其他任务占用的处理器：%1 毫秒。</translation>
    </message>
</context>
<context>
    <name>foresight::ScatterPlot</name>
    <message>
        <source>Forecast against measured</source>
        <translation>预测与实测的对照</translation>
    </message>
    <message>
        <source>No data: nothing forecast has been measured yet</source>
        <translation>无数据：尚无带预测的候选得到实测</translation>
    </message>
    <message>
        <source>forecast speedup</source>
        <translation>预测加速比</translation>
    </message>
    <message>
        <source>measured speedup</source>
        <translation>实测加速比</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>audit</source>
        <translation>抽查</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>#%1</source>
        <translation>#%1</translation>
    </message>
    <message>
        <source>forecast %1, measured %2</source>
        <translation>预测 %1，实测 %2</translation>
    </message>
    <message>
        <source>audit: measured although the rule would have skipped it</source>
        <translation>抽查：规则本会跳过，但仍进行了实测</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>迄今最佳</translation>
    </message>
    <message>
        <source>Forecast against measured speedup. No data: nothing forecast has been measured yet.</source>
        <translation>预测与实测加速比的对照。无数据：尚无带预测的候选得到实测。</translation>
    </message>
    <message numerus="yes">
        <source>Forecast against measured speedup, %n candidate(s).</source>
        <translation>
            <numerusform>预测与实测加速比的对照，%n 个候选。</numerusform>
        </translation>
    </message>
    <message>
        <source>The median forecast is off by a factor of %1.</source>
        <translation>预测偏差的中位数为 %1 倍。</translation>
    </message>
    <message numerus="yes">
        <source>%n without a usable value left out.</source>
        <translation>
            <numerusform>已排除 %n 个没有可用值的候选。</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1, forecast %2, measured %3.</source>
        <translation>已选：%1，预测 %2，实测 %3。</translation>
    </message>
</context>
<context>
    <name>foresight::SearchState</name>
    <message>
        <source>root</source>
        <translation>根</translation>
    </message>
</context>
<context>
    <name>foresight::SearchTreeView</name>
    <message>
        <source>Search tree</source>
        <translation>搜索树</translation>
    </message>
    <message>
        <source>Find: #12, VEC=8, failed…</source>
        <translation>查找：#12、VEC=8、failed…</translation>
    </message>
    <message>
        <source>Find nodes by number, parameter or state</source>
        <translation>按编号、参数或状态查找节点</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation>节点着色依据</translation>
    </message>
    <message>
        <source>Show the whole tree</source>
        <translation>显示整棵树</translation>
    </message>
    <message>
        <source>Show skipped candidates</source>
        <translation>显示已跳过的候选</translation>
    </message>
    <message>
        <source>No search</source>
        <translation>无搜索</translation>
    </message>
    <message>
        <source>Pick an operator and start a search: every candidate it considers appears here, measured or skipped.</source>
        <translation>选择一个算子并开始搜索：搜索考虑的每个候选都会显示在此处，无论是实测还是已跳过。</translation>
    </message>
    <message>
        <source>Search the top operator</source>
        <translation>搜索排名第一的算子</translation>
    </message>
    <message>
        <source>%1 proposed, %2 measured, %3 skipped, %4 failed</source>
        <translation>提出 %1 个，实测 %2 个，已跳过 %3 个，失败 %4 个</translation>
    </message>
    <message>
        <source>; best %1 over %2 (#%3)</source>
        <translation>；最佳为相对于 %2 的 %1（#%3）</translation>
    </message>
    <message>
        <source>Preparing the search…</source>
        <translation>正在准备搜索…</translation>
    </message>
    <message>
        <source>Paused. </source>
        <translation>已暂停。 </translation>
    </message>
    <message>
        <source>Finished: %1. </source>
        <translation>已结束：%1。 </translation>
    </message>
    <message>
        <source>Interrupted; it can be resumed. </source>
        <translation>已中断；可以恢复。 </translation>
    </message>
    <message>
        <source>the budget is used up</source>
        <translation>预算已用完</translation>
    </message>
    <message>
        <source>the budget of measurements is used up</source>
        <translation>测量预算已用完</translation>
    </message>
    <message>
        <source>the budget of GPU seconds is used up</source>
        <translation>GPU 秒数预算已用完</translation>
    </message>
    <message>
        <source>the budget of wall seconds is used up</source>
        <translation>时间预算已用完</translation>
    </message>
    <message>
        <source>every configuration has been tried</source>
        <translation>所有配置均已尝试</translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation>由用户停止</translation>
    </message>
    <message>
        <source>the GPU is unwell</source>
        <translation>GPU 状态异常</translation>
    </message>
</context>
<context>
    <name>foresight::SourceService</name>
    <message>
        <source>// compiled with:
%1
</source>
        <translation>// 编译选项：
%1
</translation>
    </message>
</context>
<context>
    <name>foresight::SourceView</name>
    <message numerus="yes">
        <source> … (line cut; %n more character(s))</source>
        <translation>
            <numerusform> …（行已截断；还有 %n 个字符）</numerusform>
        </translation>
    </message>
    <message>
        <source>… (text cut after %1 MB; Copy All copies everything)</source>
        <translation>…（文本在 %1 MB 后截断；“全部复制”可复制全部内容）</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>全部复制</translation>
    </message>
</context>
<context>
    <name>foresight::StartPage</name>
    <message>
        <source>Foresight</source>
        <translation>Foresight</translation>
    </message>
    <message>
        <source>Find out where a model&apos;s GPU time can be won back, watch the search for faster kernels, and know which results to trust.</source>
        <translation>找出模型的 GPU 时间可以从哪里赢回，观察对更快内核的搜索，并了解哪些结果值得信赖。</translation>
    </message>
    <message>
        <source>Open a session…</source>
        <translation>打开会话…</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>录制的会话</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>What can be done here</source>
        <translation>在此处可以做什么</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Sessions you open appear here.</source>
        <translation>您打开的会话显示在此处。</translation>
    </message>
    <message>
        <source>None found: the program&apos;s data folder is missing. Reinstall, or set FORESIGHT_DATA.</source>
        <translation>未找到：程序的数据文件夹缺失。请重新安装，或设置 FORESIGHT_DATA。</translation>
    </message>
    <message>
        <source>Shipped with Foresight; opened read-only</source>
        <translation>随 Foresight 提供；以只读方式打开</translation>
    </message>
</context>
<context>
    <name>foresight::StatusLabel</name>
    <message>
        <source>information</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>no state</source>
        <translation>无状态</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>foresight::TableView</name>
    <message>
        <source>Reset Columns</source>
        <translation>重置列</translation>
    </message>
    <message>
        <source>Copy Cell</source>
        <translation>复制单元格</translation>
    </message>
    <message>
        <source>Copy Selected Rows As</source>
        <translation>将所选行复制为</translation>
    </message>
    <message>
        <source>Copy All Rows As</source>
        <translation>将所有行复制为</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>foresight::TreeCanvas</name>
    <message>
        <source>Search tree</source>
        <translation>搜索树</translation>
    </message>
    <message>
        <source>#%1</source>
        <translation>#%1</translation>
    </message>
    <message>
        <source>#%1 %2</source>
        <comment>id, label</comment>
        <translation>#%1 %2</translation>
    </message>
    <message>
        <source>speedup %1</source>
        <translation>加速比 %1</translation>
    </message>
    <message>
        <source>forecast %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>迄今最佳</translation>
    </message>
    <message>
        <source>on the path to the best</source>
        <translation>位于通往最佳候选的路径上</translation>
    </message>
    <message>
        <source>audit</source>
        <translation>抽查</translation>
    </message>
    <message>
        <source>added by hand</source>
        <translation>手动添加</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>subtree forbidden</source>
        <translation>子树已禁止</translation>
    </message>
    <message numerus="yes">
        <source>proposed again %n time(s)</source>
        <translation>
            <numerusform>再次提出 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>深度 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n child(ren)</source>
        <translation>
            <numerusform>%n 个子节点</numerusform>
        </translation>
    </message>
    <message>
        <source>(collapsed)</source>
        <translation>（已折叠）</translation>
    </message>
    <message>
        <source>Search tree, empty.</source>
        <translation>搜索树，空。</translation>
    </message>
    <message>
        <source>Search tree of %1 candidates: %2 measured, %3 skipped, %4 failed.</source>
        <translation>%1 个候选的搜索树：实测 %2 个，已跳过 %3 个，失败 %4 个。</translation>
    </message>
    <message>
        <source>Best: %1.</source>
        <translation>最佳：%1。</translation>
    </message>
    <message>
        <source>Selected: %1.</source>
        <translation>已选：%1。</translation>
    </message>
    <message>
        <source>No candidates yet</source>
        <translation>尚无候选</translation>
    </message>
    <message>
        <source>start</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>已提出</translation>
    </message>
    <message>
        <source>skipped (ghost)</source>
        <translation>已跳过（未测候选）</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>failed: does not build</source>
        <translation>失败：无法构建</translation>
    </message>
    <message>
        <source>failed: does not run</source>
        <translation>失败：无法运行</translation>
    </message>
    <message>
        <source>failed: wrong result</source>
        <translation>失败：结果错误</translation>
    </message>
    <message>
        <source>failed: timing</source>
        <translation>失败：计时</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>colour: forecast speedup</source>
        <translation>颜色：预测加速比</translation>
    </message>
    <message>
        <source>colour: depth</source>
        <translation>颜色：深度</translation>
    </message>
    <message>
        <source>colour: measured speedup</source>
        <translation>颜色：实测加速比</translation>
    </message>
    <message>
        <source>audit: measured at random</source>
        <translation>抽查：随机实测</translation>
    </message>
</context>
</TS>
