export interface ServerEvent {
  event: string;
  data: string;
  id: string | undefined;
}

/** Creates an incremental parser of server-sent events; comments (heartbeats) are skipped. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let buffer = '';
  return (text) => {
    const blocks = (buffer + text).split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) onEvent(event);
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
