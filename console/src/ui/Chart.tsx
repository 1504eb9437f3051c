import './chart.css';
import type { EChartsCoreOption } from 'echarts/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ChartColours, useChartColours } from './chart-colours.ts';
import type { Drawing, drawIn } from './chart-engine.ts';
import { queueTask } from './task-queue.ts';

interface Engine {
  drawIn: typeof drawIn;
}

interface Props {
  /** What the picture shows, in words; its figures belong into a table beside it. */
  label: string;
  /** Called again when the colours change. Give it a stable identity. */
  option: (colours: ChartColours) => EChartsCoreOption;
}

/** A chart on a canvas. It is disposed of while its tab is hidden, and drawn again without motion when it is shown. */
export function Chart({ label, option }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { engine, failed, load } = useEngine();
  const [drawing, setDrawing] = useState<Drawing>();
  const colours = useChartColours();
  const made = useMemo(() => ({ ...motion(), ...option(colours) }), [option, colours]);

  useEffect(() => {
    if (!engine || !box.current) return undefined;
    const next = engine.drawIn(box.current);
    // The canvas is outside of React: that it exists is known only here.
    // oxlint-disable-next-line react/set-state-in-effect
    setDrawing(next);
    return () => {
      setDrawing(undefined);
      next.dispose();
    };
  }, [engine]);

  useEffect(() => drawing && queueTask(() => drawing.show(made)), [drawing, made]);

  return (
    <div className="ht-chart" role="img" aria-label={label}>
      <div className="ht-chart-box" ref={box} />
      {failed && (
        <p className="ht-chart-failed">
          图表组件加载失败，可先查看表格。
          <button type="button" onClick={load}>
            重试
          </button>
        </p>
      )}
    </div>
  );
}

/** Bars grow in a moment where that explains a change, and for nobody who asked for stillness. */
const motion = (): EChartsCoreOption =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches
    ? { animation: false }
    : { animation: true, animationDuration: 120, animationDurationUpdate: 120 };

let loaded: Engine | undefined;

/** The drawing library comes with the first chart. */
function useEngine() {
  const [engine, setEngine] = useState(loaded);
  const [failed, setFailed] = useState(false);
  const load = useCallback(async () => {
    setFailed(false);
    try {
      loaded = await import('./chart-engine.ts');
      setEngine(loaded);
    } catch {
      setFailed(true);
    }
  }, []);
  useEffect(() => {
    if (loaded) return undefined;
    // What is around the chart is shown first: its engine is as large as half of the console.
    let turn: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      turn = setTimeout(() => void load());
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(turn);
    };
  }, [load]);
  return { engine, failed, load: () => void load() };
}
