import './image-viewer.css';
import { Button, Space } from 'antd';
import { type PointerEvent, useRef, useState } from 'react';
import { useKeys } from '../browser/keys.ts';

interface Props {
  /** Alternative text. */
  label: string;
  /** Undefined while loading. */
  url: string | undefined;
}

const STEP = 1.5;
const ZOOM_MAX = 6;
const QUARTER_TURN = 90;

/** Shows an image that can be zoomed, rotated and dragged. Use a React key per image to reset it. */
export function ImageViewer({ label, url }: Props) {
  const [zoom, setZoom] = useState(1);
  const [angle, setAngle] = useState(0);
  const [offset, setOffset] = useState({ x: 0, y: 0 });
  const drag = useRef<{ x: number; y: number } | undefined>(undefined);
  const [isBroken, setIsBroken] = useState(false);

  const scale = (by: number) => {
    const next = Math.min(Math.max(zoom * by, 1), ZOOM_MAX);
    setZoom(next);
    if (next === 1) setOffset({ x: 0, y: 0 });
  };
  const rotate = (by: number) => setAngle((old) => old + by);
  const reset = () => {
    setZoom(1);
    setAngle(0);
    setOffset({ x: 0, y: 0 });
  };
  useKeys({
    '+': () => scale(STEP),
    '=': () => scale(STEP),
    '-': () => scale(1 / STEP),
    '[': () => rotate(-QUARTER_TURN),
    ']': () => rotate(QUARTER_TURN),
    0: reset,
  });

  function onMove(event: PointerEvent) {
    const from = drag.current;
    if (!from) return;
    setOffset({ x: event.clientX - from.x, y: event.clientY - from.y });
  }

  return (
    <div>
      <div
        className="ht-page-stage-box"
        data-zoomed={zoom > 1}
        onPointerDown={(event) => {
          if (zoom === 1) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX - offset.x, y: event.clientY - offset.y };
        }}
        onPointerMove={onMove}
        onPointerUp={() => (drag.current = undefined)}
        onPointerCancel={() => (drag.current = undefined)}
        onDoubleClick={() => (zoom === 1 ? scale(STEP * STEP) : reset())}
      >
        {isBroken ? (
          <p className="ht-value-faint">图片无法显示</p>
        ) : url === undefined ? (
          <span className="ht-page-skeleton-line ht-page-stage-skeleton" role="status" aria-label="照片加载中" />
        ) : (
          <img
            src={url}
            alt={label}
            draggable={false}
            data-sideways={angle % (2 * QUARTER_TURN) !== 0}
            style={{ transform: `translate(${offset.x}px, ${offset.y}px) rotate(${angle}deg) scale(${zoom})` }}
            onError={() => setIsBroken(true)}
          />
        )}
      </div>
      <div className="ht-page-stage-tools" role="group" aria-label={`${label}的显示`}>
        <Space.Compact size="small">
          <Button disabled={zoom >= ZOOM_MAX} onClick={() => scale(STEP)}>
            放大
          </Button>
          <Button disabled={zoom === 1} onClick={() => scale(1 / STEP)}>
            缩小
          </Button>
          <Button onClick={() => rotate(-QUARTER_TURN)}>左转</Button>
          <Button onClick={() => rotate(QUARTER_TURN)}>右转</Button>
          <Button disabled={zoom === 1 && angle % 360 === 0} onClick={reset}>
            还原
          </Button>
        </Space.Compact>
        <span className="ht-value-faint">
          {Math.round(zoom * 100)}%{zoom > 1 && '，可拖动'}
        </span>
      </div>
    </div>
  );
}
