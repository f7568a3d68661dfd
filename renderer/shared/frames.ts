/** Frames of a played file, from 0, and the times in between. PURE. */

/** The frame that is shown at a time; a browser's times are a little off. */
export const frameAt = (seconds: number, frameRate: number): number =>
  Math.max(0, Math.floor(seconds * frameRate + 0.01))

/** The middle of a frame: its edges may show the one before. */
export const timeOf = (frame: number, frameRate: number): number => (frame + 0.5) / frameRate

/** `1:04:09`: minutes, seconds and the frame within the second. */
export function frameText(frame: number, frameRate: number): string {
  const whole = Math.max(1, Math.round(frameRate))
  const seconds = Math.floor(frame / whole)
  const pad = (value: number): string => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 60)}:${pad(seconds % 60)}:${pad(frame % whole)}`
}
