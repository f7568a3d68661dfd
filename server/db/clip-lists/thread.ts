/** What a thread of clip lists runs. */
import { answerInThread } from '../reading-thread.ts'
import { createClipSearch } from './search.ts'

answerInThread(createClipSearch)
