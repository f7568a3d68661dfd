/** How a kept source is opened, by every tool. PURE. */

/**
 * Demuxers for files of media. Absent by intention: playlists and scripts that name other files or addresses (hls,
 * dash, concat, sdp), image sequences, subtitles, devices and generators.
 */
const FORMATS = [
  'mov,matroska,avi,flv,mpegts,mpeg,mpegvideo,mxf,asf,ogg,wav,w64,mp3,aac,flac,aiff,caf,ac3,eac3,dts,amr,gxf,nut,rm',
  'h264,hevc,m4v,dv,ivf,wv,ape,tta,au,oma,vob,obu,av1',
].join(',')

/** Options before `-i` that keep a tool on this one local file. Works for ffmpeg and ffprobe. */
export function inputGuard(): string[] {
  return ['-protocol_whitelist', 'file,pipe', '-format_whitelist', FORMATS]
}

/** A path as an input that no tool takes for an option, a pattern or another protocol. */
export function inputFile(path: string): string {
  return `file:${path}`
}

/** What every ffmpeg run starts with: quiet but for errors, no questions. */
export function ffmpegStart(): string[] {
  return ['-hide_banner', '-nostdin', '-loglevel', 'error']
}

/**
 * The times of a source are those that its packets have. ffmpeg would take a step of ten seconds in a transport stream
 * (a gap in a recording) for a new clock and close it up, if it read over it: what is heard from the start on would lie
 * elsewhere than what a seek finds.
 */
export const OWN_CLOCK = ['-dts_delta_threshold', '1000000'] as const

/** What every run that reads a kept source starts with. */
export function sourceStart(): string[] {
  return [...ffmpegStart(), ...OWN_CLOCK]
}

/** A picture that stands still for long is encoded when the next one comes; the sound until then waits, in bytes a few. */
export const PATIENT_MUXER = ['-max_muxing_queue_size', '1000000'] as const

/** Seconds as ffmpeg reads them, to the microsecond and never in exponent form. */
export function seconds(value: number): string {
  return value.toFixed(6)
}
