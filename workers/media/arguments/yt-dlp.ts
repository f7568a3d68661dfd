/** Arguments of yt-dlp, which users install themselves. PURE. */

/**
 * Downloads one YouTube video into `folder` as `video.<ending>`: picture only, 1080 lines at most, nothing of the user's own
 * configuration, no other video of a list, nothing larger than `maxBytes`.
 */
export function downloadArguments(video: {
  readonly id: string
  readonly folder: string
  readonly maxBytes: number
}): string[] {
  return [
    ...['--ignore-config', '--no-playlist', '--no-cache-dir', '--no-progress', '--no-part', '--no-mtime'],
    ...['--format', 'bv*[height<=1080][ext=mp4]/bv*[height<=1080]/b[height<=1080]'],
    ...['--max-filesize', String(video.maxBytes), '--output', `${video.folder}/video.%(ext)s`],
    ...['--', `https://www.youtube.com/watch?v=${video.id}`],
  ]
}

/** Nothing of the user's own configuration, no cache; one video only; every connection through our guard. */
function guarded(proxy: string): string[] {
  return [
    ...['--ignore-config', '--no-cache-dir', '--no-playlist', '--flat-playlist', '--abort-on-error'],
    ...['--socket-timeout', '30', '--retries', '5', '--proxy', proxy],
  ]
}

/** H.264 with AAC where there is such, for it is what every tool reads; else anything, up to 1080 lines. */
const PAGE_FORMAT = [
  'bv*[height<=?1080][vcodec^=avc1]+ba[ext=m4a]',
  'bv*[height<=?1080][ext=mp4]+ba[ext=m4a]',
  'b[height<=?1080][ext=mp4]',
  'bv*[height<=?1080]+ba',
  'b[height<=?1080]',
].join('/')

/** Prints what a page shows as one JSON value, and downloads nothing. `proxy`: address with user and password. */
export function lookArguments(page: { readonly address: string; readonly proxy: string }): string[] {
  return [
    ...guarded(page.proxy),
    ...['--skip-download', '--dump-single-json', '--format', PAGE_FORMAT, '--', page.address],
  ]
}

/**
 * Downloads the one video that `infoFile` (what `lookArguments` printed) describes into `folder` as `video.<ending>`,
 * picture and sound put together by our ffmpeg, and prints lines `cutroom <bytes> <of bytes> <of about bytes>`.
 */
export function pageArguments(video: {
  readonly infoFile: string
  readonly folder: string
  readonly maxBytes: number
  readonly ffmpeg: string
  readonly proxy: string
}): string[] {
  return [
    ...guarded(video.proxy),
    ...['--no-part', '--no-mtime', '--downloader', 'native', '--ffmpeg-location', video.ffmpeg],
    ...['--quiet', '--progress', '--newline', '--progress-template'],
    'download:cutroom %(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s',
    ...['--format', PAGE_FORMAT, '--merge-output-format', 'mp4/mkv'],
    ...['--max-filesize', String(video.maxBytes), '--output', `${video.folder}/video.%(ext)s`],
    ...['--load-info-json', video.infoFile],
  ]
}
