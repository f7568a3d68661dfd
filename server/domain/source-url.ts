/** Which source addresses a caller may give: decided before anything is stored. */
import { AppError } from '../contract/errors.ts'

const DRIVE_HOSTS = new Set(['drive.google.com', 'docs.google.com'])
const LIVE_SCHEMES = new Set(['rtmp:', 'rtmps:', 'rtmpe:', 'rtmpt:', 'rtsp:', 'srt:'])

/**
 * The address as it will be fetched. INVALID_URL when it is none; UNSUPPORTED_SOURCE_URL for schemes other than http and
 * https, and for Drive-style links that do not lead to one file (`/file/`).
 */
export function checkSourceUrl(given: string): string {
  const text = given.trim()
  if (!URL.canParse(text))
    throw new AppError('INVALID_URL', {
      message: 'The url is not a valid address; it should begin with http:// or https://.',
      details: { field: 'url' },
    })
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError('UNSUPPORTED_SOURCE_URL', {
      message: LIVE_SCHEMES.has(url.protocol)
        ? `Livestreams ("${url.protocol}") are not recorded by this version; give the http or https address of the recording.`
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
