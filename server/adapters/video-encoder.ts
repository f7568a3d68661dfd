/**
 * Finds the encoder that works on this machine, and the graphics card that decodes for it, by trying on first use. The result is
 * remembered in the home until ffmpeg changes or the machine restarts, because drivers and cards may change with a restart.
 */
import { tmpdir } from 'node:os'
import { HARDWARE_WAYS } from '../../workers/media/arguments/hardware-encoders.ts'
import { SOFTWARE, type EncoderChoice } from '../../workers/media/arguments/render-encoder.ts'
import { findCard } from '../../workers/media/arguments/cards/registry.ts'
import { tryCards } from '../../workers/media/card-probe.ts'
import { chooseEncoder, tryEncoders } from '../../workers/media/encoder-probe.ts'
import { mediaTools, nameOfTools } from './media-tools.ts'
import { bootName, readNote, removeNote, trialFilms, writeNote } from './tool-notes.ts'

type Settings = Parameters<typeof mediaTools>[0]

const NOTE = 'encoder.json'
/** Another number when more is tried: what was found before is found again. */
const TRIALS = 2

/** What the choice was made for: another of these, and it is made again. */
interface Circumstances {
  readonly trials: number
  readonly fingerprint: string
  readonly boot: string
  readonly preference: string
}

const known = new Map<string, Promise<EncoderChoice>>()

/** How finished clips are encoded here. Throws INVALID_CONFIGURATION when ffmpeg cannot be used at all. */
export function workingEncoder(config: Settings): Promise<EncoderChoice> {
  if (config.encoder === 'software') return Promise.resolve(SOFTWARE)
  const name = nameOfTools(config)
  const pending = known.get(name) ?? findEncoder(config)
  known.set(name, pending)
  pending.catch(() => known.delete(name))
  return pending
}

/** An encoder broke in the middle of its work: it is tried again before the next clip. */
export async function doubtEncoder(config: Settings): Promise<void> {
  known.clear()
  await removeNote(config.home, NOTE)
}

async function findEncoder(config: Settings): Promise<EncoderChoice> {
  const { paths, fingerprint } = await mediaTools(config)
  const circumstances: Circumstances = {
    trials: TRIALS,
    fingerprint,
    boot: bootName(),
    preference: config.encoder,
  }
  const before = await remembered(config, circumstances)
  if (before !== null) return before
  const { ffmpeg } = paths
  const encoder = chooseEncoder(config.encoder, await tryEncoders(ffmpeg, config.encoder))
  const place = { films: trialFilms(config.resources), temporary: tmpdir() }
  const wish = { preference: config.encoder, encoder, place }
  const found = (await tryCards(ffmpeg, wish)).find(({ why }) => why === null)
  const choice: EncoderChoice =
    found === undefined ? encoder : { ...encoder, card: { card: found.card, device: found.device } }
  await writeNote(config.home, NOTE, { ...circumstances, choice })
  return choice
}

async function remembered({ home }: Settings, wanted: Circumstances): Promise<EncoderChoice | null> {
  const stored = (await readNote(home, NOTE)) as Partial<Circumstances & { choice: EncoderChoice }> | null
  const choice = stored?.choice
  if (stored === null || choice === undefined) return null
  const same =
    stored.trials === wanted.trials &&
    stored.fingerprint === wanted.fingerprint &&
    stored.boot === wanted.boot &&
    stored.preference === wanted.preference
  const isKnown =
    (choice.way === 'software' || choice.way in HARDWARE_WAYS) &&
    (choice.card === undefined || findCard(choice.card.card) !== undefined)
  return same && isKnown ? choice : null
}
