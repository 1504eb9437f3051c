import { useEffect } from 'react';
import { useMe } from '../api/me.ts';
import { formatTime, useZone } from '../ui/value/zone.ts';
import { useTheme } from './theme.ts';

const MINUTE_MS = 60_000;
const VARIABLE = '--ht-watermark';
const TILE = { width: 320, height: 200 };

/**
 * Background tile with account and time: found in a photo of the screen whose contrast is raised, and too faint to disturb
 * reading.
 */
function tileOf(account: string, time: string, colour: string): string {
  const { width, height } = TILE;
  // Accounts contain only letters, digits and . _ - @ +, so no escaping is needed.
  const lines = `<text x="24" y="120">${account}</text><text x="24" y="140">${time}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g font-family="sans-serif" font-size="16" font-weight="600" fill="${colour}" fill-opacity=".04" transform="rotate(-22 ${width / 2} ${height / 2})">${lines}</g></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

/**
 * Account and time, as a variable that shell.css puts behind tables, cases and messages. Updated once a minute; nothing is
 * over text, and screen readers do not see it.
 */
export function Watermark() {
  const { admin } = useMe();
  const { dark } = useTheme();
  const zone = useZone();
  useEffect(() => {
    const { style } = document.documentElement;
    let timer: ReturnType<typeof setTimeout>;
    const draw = () => {
      const now = Date.now();
      style.setProperty(VARIABLE, tileOf(admin, formatTime(now, zone).slice(0, 16), dark ? 'white' : 'black'));
      timer = setTimeout(draw, MINUTE_MS - (now % MINUTE_MS));
    };
    draw();
    return () => {
      clearTimeout(timer);
      style.removeProperty(VARIABLE);
    };
  }, [admin, zone, dark]);
  return null;
}
