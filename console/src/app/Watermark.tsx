import { useEffect, useRef } from 'react';
import { useMe } from '../api/me.ts';
import { formatTime, useZone } from '../ui/zone.ts';

const MINUTE = 60_000;
const VARIABLE = '--ht-watermark';
const TILE = { width: 320, height: 200 };

/** Background tile with account and time: readable in a photo of the screen, but too faint to disturb. */
function tileOf(account: string, time: string): string {
  const { width, height } = TILE;
  // Accounts contain only letters, digits and . _ - @ +, so no escaping is needed.
  const lines = `<text x="24" y="120">${account}</text><text x="24" y="140">${time}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g font-family="sans-serif" font-size="14" fill="#7d8797" fill-opacity=".12" transform="rotate(-22 ${width / 2} ${height / 2})">${lines}</g></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

/**
 * Account and time over the page, and through a variable over the bodies of drawers and dialogs: not over menu, buttons or
 * charts. A repeated background image updated once a minute; it ignores clicks and is hidden from screen readers.
 */
export function Watermark() {
  const { admin } = useMe();
  const zone = useZone();
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const draw = () => {
      const now = Date.now();
      const tile = tileOf(admin, formatTime(now, zone).slice(0, 16));
      if (layer.current) layer.current.style.backgroundImage = tile;
      document.documentElement.style.setProperty(VARIABLE, tile);
      timer = setTimeout(draw, MINUTE - (now % MINUTE));
    };
    draw();
    return () => {
      clearTimeout(timer);
      document.documentElement.style.removeProperty(VARIABLE);
    };
  }, [admin, zone]);
  return <div ref={layer} className="sh-watermark" aria-hidden />;
}
