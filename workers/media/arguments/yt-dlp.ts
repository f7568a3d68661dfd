/** Arguments of yt-dlp, which users install themselves. PURE. */

import { listArguments } from './input.ts'

/** An option that only the guard's file defines, so that yt-dlp fails instead of connecting directly if it cannot read it. */
const GUARD = 'cutroom-guard'

/**
 * Content of the guard's file, whose path is `proxy` in the arguments below: the address of the proxy with its password. Other
 * users of the machine can see command lines, but not our files.
 */
export function guardFile(proxyAddress: string): string {
  return `--alias ${GUARD} "--proxy ${proxyAddress}"\n`
}

/** Ignores the user's configuration, uses no cache, takes one video only, and sends every connection through our guard. */
function guarded(proxy: string): string[] {
  return listArguments`
    --ignore-config --no-cache-dir --no-playlist --flat-playlist --abort-on-error --socket-timeout 30
    --retries 5 --config-locations ${proxy} --${GUARD}
  `
}

/** Prints its version and does nothing else. */
export const versionArguments = (): string[] => listArguments`--ignore-config --version`

/** H.264 with AAC if available, because every tool can read it; otherwise anything, up to 1080 lines. */
const PAGE_FORMAT = [
  'bv*[height<=?1080][vcodec^=avc1]+ba[ext=m4a]',
  'bv*[height<=?1080][ext=mp4]+ba[ext=m4a]',
  'b[height<=?1080][ext=mp4]',
  'bv*[height<=?1080]+ba',
  'b[height<=?1080]',
].join('/')

/** Only lines of the form `cutroom <bytes> <of bytes> <of about bytes>` on stdout. */
const PROGRESS = listArguments`
  --quiet --progress --newline
  --progress-template ${'download:cutroom %(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s'}
`

/** One file that yt-dlp downloads itself into `folder` as `video.<ending>`, with progress. */
const intoFolder = (video: { readonly folder: string; readonly maxBytes: number }): string[] => listArguments`
  --no-part --no-mtime --downloader native ${PROGRESS} --max-filesize ${video.maxBytes}
  --output ${video.folder}/video.%(ext)s
`

/** Downloads the picture of one YouTube video without sound, at most 1080 lines. `proxy` as for `lookArguments`. */
export function pictureArguments(video: {
  readonly id: string
  readonly folder: string
  readonly maxBytes: number
  readonly proxy: string
}): string[] {
  return listArguments`
    ${guarded(video.proxy)} ${intoFolder(video)} --format bv*[height<=1080][ext=mp4]/bv*[height<=1080]/b[height<=1080]
    -- https://www.youtube.com/watch?v=${video.id}
  `
}

/** Prints what a page offers as one JSON value and downloads nothing. `proxy`: path of the guard's file. */
export function lookArguments(page: { readonly address: string; readonly proxy: string }): string[] {
  return listArguments`${guarded(page.proxy)} --skip-download --dump-single-json --format ${PAGE_FORMAT} -- ${page.address}`
}

/**
 * Downloads the one video that `infoFile` (the output of `lookArguments`) describes into `folder` as `video.<ending>`. Our
 * ffmpeg joins picture and sound.
 */
export function pageArguments(video: {
  readonly infoFile: string
  readonly folder: string
  readonly maxBytes: number
  readonly ffmpeg: string
  readonly proxy: string
}): string[] {
  return listArguments`
    ${guarded(video.proxy)} ${intoFolder(video)} --ffmpeg-location ${video.ffmpeg} --format ${PAGE_FORMAT}
    --merge-output-format mp4/mkv --load-info-json ${video.infoFile}
  `
}
