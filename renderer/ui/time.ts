/** Times as editors read them. */

/** `1:05.3`, and `2:03:05.3` from an hour on; tenths of a second only on request. */
export function clockTime(seconds: number, tenths = false): string {
  const whole = tenths ? Math.floor(seconds * 10) / 10 : Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  const rest = whole - minutes * 60
  const hours = Math.floor(minutes / 60)
  const before = hours === 0 ? String(minutes) : `${hours}:${String(minutes % 60).padStart(2, '0')}`
  return `${before}:${tenths ? rest.toFixed(1).padStart(4, '0') : String(rest).padStart(2, '0')}`
}
