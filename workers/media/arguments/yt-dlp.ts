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
