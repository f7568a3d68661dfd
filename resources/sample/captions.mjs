// Captions: words grouped into cues a person can read, each starting and ending with the voice.

const widest = 42
const longest = 6
const shortest = 1

const textOf = (words) => words.map(({ word }) => word).join(' ')
const lasts = (words) => words.at(-1).end - words[0].start

/** The best place to break `words` in two: near the middle, and by preference after a comma or a full stop. */
function bestBreak(words) {
  const total = textOf(words).length
  let best = 1
  let bestScore = Infinity
  for (let at = 1; at < words.length; at++) {
    const head = textOf(words.slice(0, at)).length
    const last = words[at - 1].word
    const bonus = /[.?!]$/.test(last) ? 16 : last.endsWith(',') ? 10 : 0
    // A line that ends in a little joining word reads badly.
    const malus = /^(a|an|the|to|of|in|on|and|for|is|I|we|he|it|my|your|that)$/i.test(last) ? 8 : 0
    const score = Math.abs(head - (total - head)) - bonus + malus
    if (score < bestScore) [best, bestScore] = [at, score]
  }
  return best
}

const fitsTwoLines = (words) => {
  if (textOf(words).length <= widest) return true
  return words.some(
    (_, at) =>
      at > 0 && textOf(words.slice(0, at)).length <= widest && textOf(words.slice(at)).length <= widest,
  )
}

function split(words) {
  if (fitsTwoLines(words) && lasts(words) <= longest - 0.5) return [words]
  const at = bestBreak(words)
  return [...split(words.slice(0, at)), ...split(words.slice(at))]
}

function arrangeLayout(words) {
  const text = textOf(words)
  if (text.length <= widest) return text
  let at = bestBreak(words)
  while (textOf(words.slice(0, at)).length > widest) at--
  while (textOf(words.slice(at)).length > widest) at++
  return `${textOf(words.slice(0, at))}\n${textOf(words.slice(at))}`
}

/** Returns cues [{ start, end, text, speaker }]. */
export function makeCues(lines) {
  const groups = []
  for (const line of lines) {
    for (const words of split(line.words)) {
      const before = groups.at(-1)
      // Two sentences of one person share a cue when one of them is too short to stand alone.
      const joined = before && [...before, ...words]
      const close =
        before && words[0].start - before.at(-1).end <= 0.62 && before[0].speaker === words[0].speaker
      if (
        close &&
        (lasts(before) < shortest || lasts(words) < shortest) &&
        textOf(joined).length <= widest &&
        lasts(joined) < 4
      ) {
        groups[groups.length - 1] = joined
      } else groups.push(words)
    }
  }
  return groups.map((words, index) => {
    const start = words[0].start
    const next = groups[index + 1]?.[0].start ?? Infinity
    // A one-word answer stays up for a second, as far as the next cue lets it.
    const end = Math.max(words.at(-1).end, Math.min(start + shortest, next - 0.04))
    return { start, end, text: arrangeLayout(words), speaker: words[0].speaker }
  })
}

const stamp = (seconds) => {
  const total = Math.round(seconds * 1000)
  const part = (value, width = 2) => String(value).padStart(width, '0')
  return `${part(Math.floor(total / 3600000))}:${part(Math.floor(total / 60000) % 60)}:${part(Math.floor(total / 1000) % 60)},${part(total % 1000, 3)}`
}

export const toSrt = (cues) =>
  cues
    .map(({ start, end, text }, index) => `${index + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}\n`)
    .join('\n')
