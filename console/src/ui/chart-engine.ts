import { BarChart, CandlestickChart, LineChart } from 'echarts/charts';
import { DataZoomInsideComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

// Only what is drawn somewhere; the whole library is several times as large. Canvas, as nothing is then written as markup.
register([
  BarChart,
  CandlestickChart,
  LineChart,
  DataZoomInsideComponent,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
  CanvasRenderer,
]);

export interface Drawing {
  show: (option: EChartsCoreOption) => void;
  dispose: () => void;
}

/** Draws into a box and follows its size until disposed of. */
export function drawIn(box: HTMLElement): Drawing {
  const chart = init(box, null, { renderer: 'canvas' });
  const observer = new ResizeObserver(() => chart.resize());
  observer.observe(box);
  return {
    show: (option) => chart.setOption(option, { notMerge: true }),
    dispose: () => {
      observer.disconnect();
      chart.dispose();
    },
  };
}
