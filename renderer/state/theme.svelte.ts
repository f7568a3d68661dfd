/** Dark or light: as the system prefers until somebody chooses. Stored in this browser. */
const KEY = 'cutroom-theme'
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

function loadTheme(): Theme {
  const found = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === found) ?? 'system'
}

function show(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme
}

export function createTheme(): { readonly theme: Theme; readonly next: () => void } {
  const first = loadTheme()
  let theme = $state(first)
  show(first)
  return {
    get theme() {
      return theme
    },
    next() {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
      localStorage.setItem(KEY, theme)
      show(theme)
    },
  }
}
