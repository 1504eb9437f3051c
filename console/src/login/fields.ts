/** @throws Error if login.html has no such element of this type */
export function findElement<E extends HTMLElement>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${type.name} #${id}`);
  return element;
}

/** Shows the error of an input below it; null clears it. */
export function setFieldError(input: HTMLInputElement, message: string | null) {
  input.setAttribute('aria-invalid', String(message !== null));
  findElement(`${input.id}-error`, HTMLElement).textContent = message ?? '';
}
