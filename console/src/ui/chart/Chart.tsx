import './chart.css';
import type { EChartsCoreOption } from 'echarts/core';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type ChartColours, useChartColours } from './chart-colours.ts';
import type { Drawing, createDrawing } from './chart-engine.ts';
import { queueTask } from '../browser/task-queue.ts';

interface Engine {
  createDrawing: typeof createDrawing;
}

interface Props {
  /** Description of the chart; its figures belong in a table next to it. */
  label: string;
  /** Called again when the colours change; must keep its identity. */
  option: (colours: ChartColours) => EChartsCoreOption;
}

/** A chart on a canvas. Disposed while its tab is hidden, and redrawn without animation when the tab is shown. */
export function Chart({ label, option }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { engine, hasFailed, load } = useEngine();
  const [drawing, setDrawing] = useState<Drawing>();
  const colours = useChartColours();
  const fullOption = useMemo(() => ({ ...animation(), ...option(colours) }), [option, colours]);

  useEffect(() => {
    if (!engine || !box.current) return undefined;
    const next = engine.createDrawing(box.current);
    // The canvas is created outside React, so its existence is only known here.
    // oxlint-disable-next-line react/set-state-in-effect
    setDrawing(next);
    return () => {
      setDrawing(undefined);
      next.dispose();
    };
  }, [engine]);

  useEffect(() => drawing && queueTask(() => drawing.show(fullOption)), [drawing, fullOption]);

  const drawnColours = useRef(colours);
  useLayoutEffect(() => {
    if (!drawing || drawnColours.current === colours) return;
    drawnColours.current = colours;
    // At once, so that the chart changes in the same frame as the page.
    drawing.show({ ...option(colours), animation: false });
  }, [drawing, option, colours]);

  return (
    <div className="ht-chart" role="img" aria-label={label}>
      <div className="ht-chart-box" ref={box} />
      {hasFailed && (
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

/** Short animation of changes; none with prefers-reduced-motion. */
const animation = (): EChartsCoreOption =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches
    ? { animation: false }
    : { animation: true, animationDuration: 120, animationDurationUpdate: 120 };

let loaded: Engine | undefined;

/** Loads the chart library with the first chart. */
function useEngine() {
  const [engine, setEngine] = useState(loaded);
  const [hasFailed, setHasFailed] = useState(false);
  const load = useCallback(async () => {
    setHasFailed(false);
    try {
      loaded = await import('./chart-engine.ts');
      setEngine(loaded);
    } catch {
      setHasFailed(true);
    }
  }, []);
  useEffect(() => {
    if (loaded) return undefined;
    // Waits for the next paint: the library is about half the size of the console.
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => void load());
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [load]);
  return { engine, hasFailed, load: () => void load() };
}
