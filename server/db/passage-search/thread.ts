/** What the thread of passages runs. */
import { answerInThread } from '../reading-thread.ts'
import { createPassageSearch } from './find-passages.ts'

answerInThread(createPassageSearch)
