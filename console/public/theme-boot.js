// Runs before the first paint, so that a dark room is never lit up by a white page. The choice is that of the operator at
// work; at the login nobody is, and the last one's look stays (see theme.ts and preference-store.ts).
(function () {
  var read = function (key) {
    try {
      return JSON.parse(localStorage.getItem(key) || 'null');
    } catch {
      return null;
    }
  };
  var session = read('hengtai.session');
  var atLogin = location.pathname === '/login';
  var own = function (key) {
    return !atLogin && session ? read('hengtai.preference.' + session.admin + '/' + key) : null;
  };
  var mode = !atLogin && session ? own('theme') : read('hengtai.look');
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  var look = document.documentElement.dataset;
  look.theme = dark ? 'dark' : 'light';
  look.menu = own('menu.dark') === false ? 'light' : 'dark';
  look.collapsed = own('menu.collapsed') === true;
})();
