export interface ServerEvent {
  event: string;
  data: string;
  id: string | undefined;
}

/** Takes a stream of server-sent events apart, in whatever pieces it comes. Comments only say that the line lives. */
export function eventParser(take: (event: ServerEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) take(event);
    }
  };
}

function parseBlock(block: string): ServerEvent | undefined {
  let event = '';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, id, data: data.join('\n') };
}
