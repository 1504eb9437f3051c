import './image-viewer.css';
import { Button, Space } from 'antd';
import { type PointerEvent, useRef, useState } from 'react';
import { useKeys } from './keys.ts';

interface Props {
  /** What is to be seen, for those who do not see it. */
  label: string;
  /** Undefined while it is being read. */
  url: string | undefined;
}

const STEP = 1.5;
const ZOOM_MAX = 6;
const TURN = 90;

/** Shows an image that can be enlarged, turned and dragged. Give it a key per image to reset it. */
export function ImageViewer({ label, url }: Props) {
  const [zoom, setZoom] = useState(1);
  const [turn, setTurn] = useState(0);
  const [at, setAt] = useState({ x: 0, y: 0 });
  const drag = useRef<{ x: number; y: number } | undefined>(undefined);
  const [broken, setBroken] = useState(false);

  const scale = (by: number) => {
    const next = Math.min(Math.max(zoom * by, 1), ZOOM_MAX);
    setZoom(next);
    if (next === 1) setAt({ x: 0, y: 0 });
  };
  const rotate = (by: number) => setTurn((old) => old + by);
  const reset = () => {
    setZoom(1);
    setTurn(0);
    setAt({ x: 0, y: 0 });
  };
  useKeys({
    '+': () => scale(STEP),
    '=': () => scale(STEP),
    '-': () => scale(1 / STEP),
    '[': () => rotate(-TURN),
    ']': () => rotate(TURN),
    0: reset,
  });

  function onMove(event: PointerEvent) {
    const from = drag.current;
    if (!from) return;
    setAt({ x: event.clientX - from.x, y: event.clientY - from.y });
  }

  return (
    <div className="ht-stage">
      <div
        className="ht-stage-box"
        data-zoomed={zoom > 1}
        onPointerDown={(event) => {
          if (zoom === 1) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX - at.x, y: event.clientY - at.y };
        }}
        onPointerMove={onMove}
        onPointerUp={() => (drag.current = undefined)}
        onPointerCancel={() => (drag.current = undefined)}
        onDoubleClick={() => (zoom === 1 ? scale(STEP * STEP) : reset())}
      >
        {broken ? (
          <p className="ht-faint">图片无法显示</p>
        ) : url === undefined ? (
          <span className="ht-skeleton-line ht-stage-skeleton" role="status" aria-label="照片加载中" />
        ) : (
          <img
            src={url}
            alt={label}
            draggable={false}
            data-sideways={turn % (2 * TURN) !== 0}
            style={{ transform: `translate(${at.x}px, ${at.y}px) rotate(${turn}deg) scale(${zoom})` }}
            onError={() => setBroken(true)}
          />
        )}
      </div>
      <div className="ht-stage-tools" role="group" aria-label={`${label}的显示`}>
        <Space.Compact size="small">
          <Button disabled={zoom >= ZOOM_MAX} onClick={() => scale(STEP)}>
            放大
          </Button>
          <Button disabled={zoom === 1} onClick={() => scale(1 / STEP)}>
            缩小
          </Button>
          <Button onClick={() => rotate(-TURN)}>左转</Button>
          <Button onClick={() => rotate(TURN)}>右转</Button>
          <Button disabled={zoom === 1 && turn % 360 === 0} onClick={reset}>
            还原
          </Button>
        </Space.Compact>
        <span className="ht-faint">
          {Math.round(zoom * 100)}%{zoom > 1 && '，可拖动'}
        </span>
      </div>
    </div>
  );
}
