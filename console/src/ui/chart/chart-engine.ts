import { BarChart, CandlestickChart, LineChart } from 'echarts/charts';
import { DataZoomInsideComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

// Registers only the used parts, because the full library is several times larger. Canvas, because it writes no markup.
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

/** Creates a chart in a box that follows its size until disposed. */
export function createDrawing(box: HTMLElement): Drawing {
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
