/** PURE: how loud programmes are delivered. */
import type { Loudness } from './profile.ts'

/** EBU R 128: programmes in Europe. */
export const EBU_R128: Loudness = { integratedLufs: -23, truePeakDb: -1 }
/** ATSC A/85: programmes in North America. */
export const ATSC_A85: Loudness = { integratedLufs: -24, truePeakDb: -2 }
