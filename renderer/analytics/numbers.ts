/** Figures as people read them. The space before a percent sign breaks no line. */
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

export const figure = (value: number): string => whole.format(value)
export const shortFigure = (value: number): string => short.format(value)
export const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`

/** `+12 %` against before; empty where there was nothing before. */
export function change(now: number, before: number): string {
  if (before === 0) return ''
  const by = Math.round(((now - before) / before) * 100)
  return `${by > 0 ? '+' : ''}${whole.format(by)}\u00a0%`
}

/** `+12.5 %`; empty before the second refresh. */
export const growth = (rate: number | null): string =>
  rate === null ? '' : `${rate > 0 ? '+' : ''}${rate.toFixed(1)}\u00a0%`
