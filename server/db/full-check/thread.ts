/** What the thread of the full check runs. */
import { answerInThread } from '../reading-thread.ts'
import { findDamageIn, type Part } from './find-damage.ts'

answerInThread<Part, string | null>((sqlite) => (part) => findDamageIn(sqlite, part))
