/** Runs before the studio page, apart from its scripts: says that the page is in a desktop window. Exposes nothing. */
addEventListener('DOMContentLoaded', () => {
  document.documentElement.dataset['shell'] = 'desktop'
})
