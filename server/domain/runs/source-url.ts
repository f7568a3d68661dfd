/** Checks source addresses before anything is stored. */
import { AppError } from '../../contract/errors.ts'

const DRIVE_HOSTS = new Set(['drive.google.com', 'docs.google.com'])
const STREAM_SCHEMES = new Set(['rtmp:', 'rtmps:', 'srt:'])
/** Schemes of streams that cannot be recorded. */
const OTHER_STREAMS = new Set(['rtmpe:', 'rtmpt:', 'rtmpte:', 'rtmpts:', 'rtsp:', 'rtp:', 'udp:', 'rist:'])

/**
 * The address as it will be fetched. Throws INVALID_URL for text that is not an address and for incomplete RTMP and SRT
 * addresses; UNSUPPORTED_SOURCE_URL for other schemes, and for Drive-style links that do not lead to one file (`/file/`).
 */
export function checkSourceUrl(given: string): string {
  const text = given.trim()
  if (!URL.canParse(text))
    throw new AppError('INVALID_URL', {
      message: 'The url is not a valid address; it should begin with http:// or https://.',
      details: { field: 'url' },
    })
  const url = new URL(text)
  if (STREAM_SCHEMES.has(url.protocol)) return checkStreamAddress(text, url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError('UNSUPPORTED_SOURCE_URL', {
      message: OTHER_STREAMS.has(url.protocol)
        ? `Streams by "${url.protocol}" are not recorded; give an HLS (https://….m3u8), RTMP or SRT address of the stream.`
        : `Addresses with "${url.protocol}" are not supported; give an http or https address.`,
      details: { field: 'url', scheme: url.protocol.slice(0, -1) },
    })
  if (DRIVE_HOSTS.has(url.hostname) && !url.pathname.includes('/file/'))
    throw new AppError('UNSUPPORTED_SOURCE_URL', {
      message:
        'This is not a direct file link: folder, preview and other links without /file/ are not supported.',
      details: { field: 'url', expected: 'a link with /file/ in it' },
    })
  return text
}

/** Checks that an RTMP or SRT address names everything that a connection needs. */
function checkStreamAddress(text: string, url: URL): string {
  const invalid = (expected: string): AppError =>
    new AppError('INVALID_URL', {
      message: `This is not an address that can be pulled; expected ${expected}.`,
      details: { field: 'url', expected },
    })
  const parts = url.pathname.split('/').filter((part) => part !== '')
  if (url.protocol === 'srt:') {
    if (url.hostname === '' || url.port === '') throw invalid('srt://host:port')
  } else if (url.hostname === '' || parts.length < 2) throw invalid('rtmp://host/application/stream')
  return text
}

const USER_INFO = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i

/** An address without its `user:password`, and that part as it was written; null where there is none. */
export function splitUserInfo(address: string): { url: string; userInfo: string | null } {
  const found = USER_INFO.exec(address)
  return { url: address.replace(USER_INFO, '$1'), userInfo: found?.[2] ?? null }
}

/** The address with `user:password` in it again. */
export function withUserInfo(url: string, userInfo: string | null): string {
  return userInfo === null
    ? url
    : url.replace(/^([a-z][a-z\d+.-]*:\/\/)/i, (scheme) => `${scheme}${userInfo}@`)
}
