/** Packet times by ffprobe: a few stretches for the frame rate, and the file's real end. */
import { packetArguments, type PacketInterval } from '../../media/arguments/probe.ts'
import { runTool } from '../../media/run-tool.ts'

export interface PacketSource {
  readonly ffprobe: string
  readonly path: string
  readonly signal: AbortSignal
}

export interface Packet {
  readonly time: number
  readonly end: number
  readonly keyFrame: boolean
}

/** Packets of a stream in some intervals (times on the file's own clock); none: the whole stream. In file order. */
export async function eachPacket(
  source: PacketSource,
  stream: number,
  intervals: readonly PacketInterval[],
  take: (packet: Packet) => void,
): Promise<void> {
  let rest = ''
  await runTool({
    executable: source.ffprobe,
    args: packetArguments(source.path, stream, intervals),
    signal: source.signal,
    stallSeconds: 120,
    onStdout: (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const packet = parsePacket(line)
        if (packet !== null) take(packet)
      }
    },
  })
}

/** A `pts,dts,duration,flags` line; null when it has no time at all. */
function parsePacket(line: string): Packet | null {
  const [pts = '', dts = '', duration = '', flags = ''] = line.split(',')
  const time = [Number.parseFloat(pts), Number.parseFloat(dts)].find(Number.isFinite)
  if (time === undefined) return null
  return { time, end: time + (Number.parseFloat(duration) || 0), keyFrame: flags.startsWith('K') }
}

/** Sorted presentation times of some packets at each place. A place that cannot be read gives none. */
export async function frameTimes(
  source: PacketSource,
  stream: number,
  places: readonly number[],
  packets: number,
): Promise<number[][]> {
  const samples: number[][] = []
  for (const from of places) {
    const times: number[] = []
    await eachPacket(source, stream, [{ from, packets }], ({ time }) => times.push(time))
    // Packets lie in decoding order: the last few may lack neighbours that come later in the file. The first is the first.
    samples.push(times.toSorted((a, b) => a - b).slice(0, Math.max(1, times.length - 4)))
  }
  return samples
}

/**
 * Where the stream really ends, on the file's own clock; null when nothing can be read. Reads the last seconds before
 * the end that the container states; when nothing is there, searches backwards by halves.
 */
export async function realEnd(
  source: PacketSource,
  stream: number,
  start: number,
  end: number,
): Promise<number | null> {
  const lastFrom = async (from: number, packets: number | null): Promise<number | null> => {
    let last: number | null = null
    await eachPacket(source, stream, [{ from, packets }], (packet) => {
      last = Math.max(last ?? packet.end, packet.end)
    })
    return last
  }
  const nearEnd = await lastFrom(Math.max(start, end - 8), 20_000)
  if (nearEnd !== null && nearEnd > end - 8) return nearEnd
  let readable = start
  let lost = end - 8
  while (lost - readable > 4) {
    const middle = (readable + lost) / 2
    const found = await lastFrom(middle, 3)
    if (found !== null && found >= middle - 20) readable = middle
    else lost = middle
  }
  return (await lastFrom(readable, 20_000)) ?? nearEnd
}

/** How many places of a file are looked at for a hole. */
const LOOKS = 16
/** Key frames and slides lie nearer than this; where nothing does, the clock has jumped. */
const HOLE_SECONDS = 60

/** A stretch of the file's own clock in which it has nothing; `seconds` are what is known of it: it may be longer. */
export interface Hole {
  readonly from: number
  readonly seconds: number
}

/** The longest hole that these streams have in common; null when none is seen. One that is short is not looked for. */
export async function findHole(
  source: PacketSource,
  streams: readonly number[],
  start: number,
  end: number,
): Promise<Hole | null> {
  let open: Hole | null = null
  let longest: Hole | null = null
  if (end - start < HOLE_SECONDS) return null
  for (let look = 1; look <= LOOKS; look++) {
    const place = start + ((end - start) * look) / LOOKS
    const last = await lastBefore(source, streams, place)
    // Where nothing comes after it, it is the file's end.
    if (open !== null && last > open.from + HOLE_SECONDS) {
      if (open.seconds > (longest?.seconds ?? 0)) longest = open
      open = null
    }
    if (last > start && place - last > HOLE_SECONDS) open = { from: last, seconds: place - last }
  }
  return longest
}

/** The end of what comes last before a place: seeking goes there, however far it is. 0: nothing does. */
async function lastBefore(source: PacketSource, streams: readonly number[], place: number): Promise<number> {
  let last = 0
  for (const stream of streams)
    await eachPacket(source, stream, [{ from: place, packets: 1 }], (packet) => {
      last = Math.max(last, packet.end)
    })
  return last
}
