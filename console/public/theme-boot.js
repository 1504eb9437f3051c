// Runs before the first paint, so that a dark room is never lit up by a white page. The choice is kept by theme.ts.
(function () {
  var mode = null;
  try {
    mode = JSON.parse(localStorage.getItem('hengtai.preference.theme') || 'null');
  } catch {
    // Without a readable choice the system's own is taken.
  }
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
