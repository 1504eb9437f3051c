export function find<E extends HTMLElement>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${id} in the document`);
  return element;
}

/** Says what is wrong with an input, or with null that nothing is. */
export function mark(input: HTMLInputElement, message: string | null) {
  input.setAttribute('aria-invalid', String(message !== null));
  find(`${input.id}-fault`, HTMLElement).textContent = message ?? '';
}
