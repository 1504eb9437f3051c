type Navigate = (path: string, options: { replace: boolean }) => void;

let navigate: Navigate = (path) => window.location.assign(path);

/** Registered by the router. Keeps callers of `openPath` from importing it. */
export function setNavigate(next: Navigate) {
  navigate = next;
}

/** Opens a path of the console in its tab. */
export const openPath = (path: string, options: { replace?: boolean } = {}) =>
  navigate(path, { replace: options.replace ?? false });
