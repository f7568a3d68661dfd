/** The few plain pages that the server writes itself, for when there is no studio to show. */
import type { ServerResponse } from 'node:http'

const STYLE = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:18vh auto 0;padding:0 1.5rem;',
  'color:#1c1917;background:#fafaf9}',
  '@media(prefers-color-scheme:dark){body{color:#e7e5e4;background:#1c1917}}',
  'h1{font-size:1.4rem}code{font-family:ui-monospace,monospace}',
].join('')

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** `text` may hold `code` in backticks; everything is escaped. */
export function sendPage(
  response: ServerResponse,
  status: number,
  page: { title: string; text: string; head?: boolean },
): void {
  const text = escape(page.text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
  const title = escape(page.title)
  const html = Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${text}</p></html>\n`,
  )
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  )
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': html.length })
  response.end(page.head === true ? undefined : html)
}
