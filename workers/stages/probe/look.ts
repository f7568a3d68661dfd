/** Inspects a stored file with the bundled tools: what it declares, whether it can be decoded, how long it is. */
import { AppError } from '../../../server/contract/errors.ts'
import { decodeCheckArguments, factsArguments, pictureCheckArguments } from '../../media/arguments/probe.ts'
import { readByFfprobe, runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext } from '../context.ts'
import { eachPacket, type PacketSource } from './packets.ts'
import { hasNotBegun, type ProbeJson } from './pure/probe-json.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

type Context = Pick<StageContext, 'tools' | 'signal'>

/** What the file declares. Throws SOURCE_NOT_VIDEO, with a sentence, for one that cannot be read. */
export async function readFacts(context: Context, path: string): Promise<ProbeJson> {
  try {
    const look = (patient: boolean) => readByFfprobe<ProbeJson>(context, factsArguments(path, patient), 300)
    const facts = await look(false)
    return (facts.streams ?? []).some(hasNotBegun) ? await look(true) : facts
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED' || wasKilled(error)) throw error
    const index = /moov atom not found/i.test(String(error.details?.['stderr']))
    throw notVideo(
      index
        ? 'The file is cut off or was never finished: its index is missing, so nothing in it can be read.'
        : 'The file cannot be read as a video or as sound. It may be damaged or be something else.',
      error,
    )
  }
}

/** Whether a stream can be decoded. A negative result removes it from every run of the file, so it must come twice. */
export async function decodes(
  context: Context,
  path: string,
  stream: number,
  kind: 'video' | 'audio',
): Promise<boolean> {
  const args = decodeCheckArguments(path, stream, kind)
  return (await decodesNow(context, args)) || decodesNow(context, args)
}

/** Whether a still picture of this type can be decoded. */
export const decodesPicture = (context: Context, path: string, mediaType: string): Promise<boolean> =>
  decodesNow(context, pictureCheckArguments(path, mediaType))

async function decodesNow(context: Context, args: readonly string[]): Promise<boolean> {
  try {
    const { stdout } = await runFfmpeg(context, args, { timeoutSeconds: 120 })
    return stdout
      .toString('latin1')
      .split('\n')
      .some((line) => /^\d/.test(line))
  } catch (error) {
    if (error instanceof AppError && error.code === 'STAGE_FAILED' && !wasKilled(error)) return false
    throw error
  }
}

/** Where streams end, in seconds from `start`, by reading every packet's time. SOURCE_NOT_VIDEO when all are empty. */
export async function endsByReading(
  source: PacketSource,
  streams: readonly number[],
  start: number,
): Promise<number[]> {
  const ends: number[] = []
  for (const stream of streams) {
    let end = start
    await eachPacket(source, stream, [], (packet) => {
      end = Math.max(end, packet.end)
    })
    ends.push(end - start)
  }
  if (ends.every((end) => end <= 0)) throw notVideo('The file has no length: there is nothing to play in it.')
  return ends
}

/** The same for one stream. */
export async function lengthByReading(source: PacketSource, stream: number, start: number): Promise<number> {
  const [length = 0] = await endsByReading(source, [stream], start)
  return length
}

/** Whether a tool was killed from outside, which says nothing about the file. */
export const wasKilled = ({ code, details }: AppError): boolean =>
  code === 'STAGE_FAILED' && details?.['exitCode'] === null

/** SOURCE_NOT_VIDEO with a sentence for users. */
export function notVideo(message: string, cause?: unknown): AppError {
  return new AppError('SOURCE_NOT_VIDEO', { message, ...omitUndefined({ cause }) })
}
