/** The page that the window shows while there is no studio to show. No scripts, nothing from outside. */
import { createHash } from 'node:crypto'
import type { ServerState } from './supervisor.ts'
import { messages } from './messages.ts'

/** Links of the page; the window's guard acts on them, nothing is loaded. */
export const RETRY = 'cutroom-shell:retry'
export const LOGS = 'cutroom-shell:logs'

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f9; --text: #16181d; --muted: #5a6170; --accent: #1f5fd6; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181d; --text: #f5f6f8; --muted: #a3abba; --accent: #8ab4ff; } }
html { background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 22vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
p { color: var(--muted); margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: var(--accent); margin-right: 1.25rem; }
`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

const TEXTS = {
  starting: () => [messages.status.starting.title, messages.status.starting.text],
  running: () => [messages.status.running.title, messages.status.running.text],
  stopped: () => [messages.status.stopped.title, messages.status.stopped.text],
  waiting: ({ why, inSeconds }: { why: string; inSeconds: number }) => [
    messages.status.waiting.title,
    messages.status.waiting.text(why, inSeconds),
  ],
} as const

/** A `data:` address of the page for a state. */
export function statusPage(state: ServerState): string {
  const [title = '', text = ''] = state.kind === 'waiting' ? TEXTS.waiting(state) : TEXTS[state.kind]()
  const style = createHash('sha256').update(STYLE).digest('base64')
  const links =
    state.kind === 'waiting'
      ? `<a href="${RETRY}">${messages.status.startNow}</a><a href="${LOGS}">${messages.status.showLogs}</a>`
      : ''
  const page = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${style}'">`,
    `<title>Cutroom</title><style>${STYLE}</style>`,
    `<main role="status"><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${links}</main></html>`,
  ].join('')
  return `data:text/html;charset=utf-8,${encodeURIComponent(page)}`
}
