import { crc32, deflateSync } from 'node:zlib';

/** Five columns per glyph as hex bytes, lowest bit at the top. A missing character is drawn as a gap. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  0: '3e5149453e',
  1: '00427f4000',
  2: '4261514946',
  3: '2141454b31',
  4: '1814127f10',
  5: '2745454539',
  6: '3c4a494930',
  7: '0171090503',
  8: '3649494936',
  9: '064949291e',
  '-': '0808080808',
  '.': '0060600000',
  ':': '0036360000',
  '<': '0814224100',
  '/': '2010080402',
};

/** An image with up to 16 colours, encoded as a 4-bit palette PNG. */
export class Canvas {
  private readonly pixels: Uint8Array;

  private readonly width: number;
  private readonly height: number;
  private readonly palette: readonly string[];

  /** @param palette colours as `rrggbb`; the first is the background */
  constructor(width: number, height: number, palette: readonly string[]) {
    this.width = width;
    this.height = height;
    this.palette = palette;
    this.pixels = new Uint8Array(width * height);
  }

  box(left: number, top: number, width: number, height: number, colour: number): void {
    const [from, to] = [Math.max(left, 0), Math.min(left + width, this.width)];
    if (from >= to) return;
    for (let y = Math.max(top, 0); y < Math.min(top + height, this.height); y += 1) {
      this.pixels.fill(colour, y * this.width + from, y * this.width + to);
    }
  }

  ellipse(midX: number, midY: number, radiusX: number, radiusY: number, colour: number): void {
    for (let y = -radiusY; y <= radiusY; y += 1) {
      const reach = Math.round(radiusX * Math.sqrt(1 - (y / radiusY) ** 2));
      this.box(midX - reach, midY + y, 2 * reach + 1, 1, colour);
    }
  }

  /** Draws text with every other pixel transparent. */
  stamp(left: number, top: number, words: string, colour: number, size: number): void {
    const background = this.pixels.slice();
    this.text(left, top, words, colour, size);
    for (let at = 0; at < background.length; at += 1) {
      if ((at + Math.floor(at / this.width)) % 2 === 0) this.pixels[at] = background[at] ?? 0;
    }
  }

  /** Draws text in capitals; `size` is the width of one glyph dot in pixels. */
  text(left: number, top: number, words: string, colour: number, size = 2): void {
    Array.from(words.toUpperCase()).forEach((letter, index) => {
      const glyph = GLYPHS[letter] ?? '0000000000';
      for (let column = 0; column < 5; column += 1) {
        const bits = Number.parseInt(glyph.slice(column * 2, column * 2 + 2), 16);
        for (let row = 0; row < 7; row += 1) {
          if ((bits >> row) & 1) this.box(left + (index * 6 + column) * size, top + row * size, size, size, colour);
        }
      }
    });
  }

  /** Returns the image as a `data:` URL. */
  png(): string {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    // Bit depth 4, colour type 3 (palette).
    header.set([4, 3, 0, 0, 0], 8);
    const half = Math.ceil(this.width / 2);
    const raw = Buffer.alloc((half + 1) * this.height);
    for (let y = 0; y < this.height; y += 1) {
      for (let pair = 0; pair < half; pair += 1) {
        const at = y * this.width + pair * 2;
        raw[y * (half + 1) + 1 + pair] = ((this.pixels[at] ?? 0) << 4) | (this.pixels[at + 1] ?? 0);
      }
    }
    const bytes = Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      encodeChunk('IHDR', header),
      encodeChunk('PLTE', Buffer.from(this.palette.join(''), 'hex')),
      encodeChunk('IDAT', deflateSync(raw)),
      encodeChunk('IEND', Buffer.alloc(0)),
    ]);
    return `data:image/png;base64,${bytes.toString('base64')}`;
  }
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
