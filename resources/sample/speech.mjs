// Speech: each line through flite, its phones turned into word times, everything laid on one timeline.
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const sampleRate = 16000

/** Runs flite and returns its phones as [{ phone, start, end }], with pauses left in. */
async function speak({ voice, stretch, pitch }, text, wavPath) {
  const args = ['-voice', voice, '--setf', `duration_stretch=${stretch}`]
  if (pitch) args.push('--setf', `int_f0_target_mean=${pitch}`)
  const { stdout } = await run('flite', [...args, '-psdur', '-t', text, '-o', wavPath ?? 'none'])
  let start = 0
  return stdout
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [phone, endText] = entry.split(':')
      const span = { phone, start, end: Number(endText) }
      start = span.end
      return span
    })
}

async function readWav(path) {
  const file = await readFile(path)
  let offset = 12
  while (file.toString('latin1', offset, offset + 4) !== 'data') offset += 8 + file.readUInt32LE(offset + 4)
  // flite writes the size it expected, which can run past what it wrote.
  const size = Math.min(file.readUInt32LE(offset + 4), file.length - offset - 8)
  const samples = new Float32Array(size >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = file.readInt16LE(offset + 8 + 2 * i) / 32768
  return samples
}

const vowels = new Set('aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw'.split(' '))
const swapCost = (a, b) => (a === b ? 0 : vowels.has(a) && vowels.has(b) ? 0.4 : 1)

/**
 * Gives every spoken phone to a word. flite tells phones but not where words end, and a phone can be
 * swallowed or changed between words ("the apple"), so the line's phones are matched, at least cost,
 * against the phones of each word said alone.
 */
function matchWords(spoken, wordPhones) {
  const alone = wordPhones.flatMap((phones, word) => phones.map((phone) => ({ phone, word })))
  const rows = spoken.length + 1
  const columns = alone.length + 1
  const cost = Array.from({ length: rows }, () => new Float64Array(columns))
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      if (i === 0 || j === 0) cost[i][j] = i + j
      else {
        cost[i][j] = Math.min(
          cost[i - 1][j - 1] + swapCost(spoken[i - 1].phone, alone[j - 1].phone),
          cost[i - 1][j] + 1,
          cost[i][j - 1] + 1,
        )
      }
    }
  }
  const owner = new Array(spoken.length)
  for (let i = rows - 1, j = columns - 1; i > 0;) {
    if (j > 0 && cost[i][j] === cost[i - 1][j - 1] + swapCost(spoken[i - 1].phone, alone[j - 1].phone)) {
      owner[--i] = alone[--j].word
    } else if (j === 0 || cost[i][j] === cost[i - 1][j] + 1) {
      owner[--i] = alone[Math.max(0, j - 1)].word
    } else j--
  }
  return owner
}

/** Scales a voice to a common level, so that the two people sit equally close to their microphones. */
function level(samples, target = 0.1) {
  let sum = 0
  let count = 0
  for (const sample of samples) {
    if (Math.abs(sample) < 0.01) continue
    sum += sample * sample
    count++
  }
  const gain = target / Math.sqrt(sum / count)
  return samples.map((sample) => sample * gain)
}

/** Synthesises all lines; returns { lines, words, phones, duration }, times in seconds from the start of the talk. */
export async function synthesise({ lines, people, leadIn }, workFolder) {
  await mkdir(workFolder, { recursive: true })
  const phonesOfWord = new Map()
  const aloneAs = async (person, word) => {
    const key = `${person.voice} ${word.toLowerCase()}`
    if (!phonesOfWord.has(key)) {
      const phones = await speak(person, word.replace(/[.,?!]/g, ''))
      phonesOfWord.set(
        key,
        phones.map(({ phone }) => phone).filter((phone) => phone !== 'pau'),
      )
    }
    return phonesOfWord.get(key)
  }

  let cursor = leadIn
  const placed = []
  const allWords = []
  const allPhones = []
  for (const [index, line] of lines.entries()) {
    const person = people[line.speaker]
    const wavPath = join(workFolder, `line-${index}.wav`)
    const timed = await speak(person, line.say ?? line.text, wavPath)
    const spoken = timed.filter(({ phone }) => phone !== 'pau')
    // The voice's own silence at both ends goes: the script's gaps are the only pauses between lines.
    const first = spoken[0].start
    const last = spoken.at(-1).end
    const edge = 0.03
    const wav = level(await readWav(wavPath))
    const cutFrom = Math.max(0, Math.round((first - edge) * sampleRate))
    const cutTo = Math.min(wav.length, Math.round((last + edge) * sampleRate))
    const shift = cursor - first

    const written = line.text.split(' ')
    const said = (line.say ?? line.text).split(' ')
    if (written.length !== said.length) throw new Error(`"say" needs as many words as the text: ${line.text}`)
    const owner = matchWords(spoken, await Promise.all(said.map((word) => aloneAs(person, word))))
    const words = written.map((word, wordIndex) => {
      const own = spoken.filter((_, i) => owner[i] === wordIndex)
      if (own.length === 0) throw new Error(`no phones for "${word}" in: ${line.text}`)
      return {
        word,
        start: own[0].start + shift,
        end: own.at(-1).end + shift,
        speaker: line.speaker,
        line: index,
      }
    })
    allWords.push(...words)
    allPhones.push(
      ...timed
        .filter(({ end, start }) => end > first && start < last)
        .map(({ phone, start, end }) => ({
          phone,
          start: start + shift,
          end: end + shift,
          speaker: line.speaker,
        })),
    )
    placed.push({
      ...line,
      start: cursor,
      end: last + shift,
      words,
      samples: wav.subarray(cutFrom, cutTo),
      from: cutFrom / sampleRate + shift,
    })
    cursor = last + shift + line.gap
  }
  return { lines: placed, words: allWords, phones: allPhones, duration: cursor }
}
