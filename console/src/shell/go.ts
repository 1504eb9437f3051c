type Navigate = (path: string, options: { replace: boolean }) => void;

let navigate: Navigate = (path) => window.location.assign(path);

/** The router says how an address is shown; what opens pages needs to know no more than `go`. */
export function setNavigate(next: Navigate) {
  navigate = next;
}

export const go = (path: string, options: { replace?: boolean } = {}) =>
  navigate(path, { replace: options.replace ?? false });
