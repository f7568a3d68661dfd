/** Where the splitters of the clip editor stand: shares of its width and height, stored in this browser by shape. */
import { loadJson, storeJson } from '../../state/stored-json.ts'

const KEY = 'cutroom-editor-sizes'
const MIN = 0.2
const MAX = 0.8

/** A tall picture takes the whole height beside inspector and timeline; a wide one stands above the timeline. */
export type Arrangement = 'tall' | 'wide'

export type Side = 'stage' | 'bottom'

type Stored = Partial<Record<`${Arrangement}-${Side}`, number>>

function readStored(): Stored {
  const found = loadJson(localStorage, KEY)
  if (typeof found !== 'object' || found === null) return {}
  const shares = Object.entries(found).filter(([, share]) => typeof share === 'number')
  return Object.fromEntries(shares)
}

export function openSizes() {
  let stored = $state.raw(readStored())

  function store(next: Stored): void {
    stored = next
    storeJson(localStorage, KEY, next)
  }

  return {
    /** Share of the editor's width (`stage`) or height (`bottom`); undefined: as large as its content asks for. */
    shareOf: (arrangement: Arrangement, side: Side): number | undefined => stored[`${arrangement}-${side}`],
    set(arrangement: Arrangement, side: Side, share: number): void {
      const within = Math.round(Math.min(MAX, Math.max(MIN, share)) * 1000) / 1000
      store({ ...stored, [`${arrangement}-${side}`]: within })
    },
    reset(arrangement: Arrangement, side: Side): void {
      const { [`${arrangement}-${side}` as const]: _, ...rest } = stored
      store(rest)
    },
  }
}
