/** PURE. Spells numbers as they are spoken in English, to estimate how long they take. */

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const SCALES: readonly (readonly [number, string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
]

/** `1,250.5` becomes `one thousand two hundred and fifty point five`; unusual numbers are spelt digit by digit. */
export function spellNumber(digits: string): string {
  const [whole = '', ...fraction] = digits
    .replace(/[.,]+$/, '')
    .replace(/,(?=\d{3})/g, '')
    .split(/[.,]/)
  const value = Number(whole)
  const head =
    whole === '' || whole.length > 15 || /^0\d/.test(whole)
      ? oneByOne(whole)
      : speltWhole(value, digits.replace(/[.,]+$/, ''))
  const tail = fraction.map((part) => `point ${oneByOne(part)}`)
  return [head, ...tail].filter((part) => part !== '').join(' ')
}

function oneByOne(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)] ?? '').join(' ')
}

function speltWhole(value: number, written: string): string {
  // Years are spoken in pairs: nineteen sixty-one.
  if (/^(1[1-9]|20[1-9])\d+$/.test(written) && written.length === 4) {
    const century = Math.floor(value / 100)
    const rest = value % 100
    const tail = rest === 0 ? 'hundred' : rest < 10 ? `oh ${below1000(rest)}` : below1000(rest)
    return `${below1000(century)} ${tail}`
  }
  return cardinal(value)
}

function cardinal(value: number): string {
  for (const [scale, name] of SCALES) {
    if (value < scale) continue
    const rest = value % scale
    return `${cardinal(Math.floor(value / scale))} ${name}${rest === 0 ? '' : ` ${cardinal(rest)}`}`
  }
  return below1000(value)
}

function below1000(value: number): string {
  if (value < 20) return ONES[value] ?? ''
  if (value < 100)
    return `${TENS[Math.floor(value / 10)] ?? ''}${value % 10 === 0 ? '' : ` ${ONES[value % 10] ?? ''}`}`
  const rest = value % 100
  return `${ONES[Math.floor(value / 100)] ?? ''} hundred${rest === 0 ? '' : ` and ${below1000(rest)}`}`
}
