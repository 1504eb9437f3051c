type Navigate = (path: string, options: { replace: boolean }) => void;

let navigate: Navigate = (path) => window.location.assign(path);

/** Registered by the router. Keeps callers of `go` from importing it. */
export function setNavigate(next: Navigate) {
  navigate = next;
}

/** Opens a path of the console in its tab. */
export const go = (path: string, options: { replace?: boolean } = {}) =>
  navigate(path, { replace: options.replace ?? false });
