/** Dark or light: as the machine says, until somebody chooses. Kept in this browser. */
const KEY = 'cutroom-theme'
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

function kept(): Theme {
  const found = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === found) ?? 'system'
}

function show(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme
}

export function createTheme(): { readonly theme: Theme; readonly next: () => void } {
  const first = kept()
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
