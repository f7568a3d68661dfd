/** The interface of the job machinery for the rest of the server. Implemented by orchestrator.ts; faked in tests. */
import type { Failure } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'

export interface SettledOperation {
  readonly state: 'succeeded' | 'failed' | 'cancelled'
  readonly result: unknown
  readonly failure: Failure | null
}

/** What a worker node may fetch and deliver while it holds a task. */
export interface HeldTask {
  readonly stage: string
  readonly key: string
  /** Digests of the stored files that are inputs of the task. */
  readonly sources: ReadonlySet<string>
  /** `stage/key` of the results that are inputs of the task, and of its own result. */
  readonly results: ReadonlySet<string>
}

/** Tasks that worker nodes hold. */
export interface NodeTasks {
  /** Records which node took a task under this lock. False: not queued, or not under that lock. */
  take(holder: string, task: { readonly key: string; readonly lock: string }): Promise<boolean>
  /** What it holds now. */
  heldBy(holder: string): Promise<readonly HeldTask[]>
}

/** What a worker node that is there says of itself. */
export interface NodeReport {
  /** The claim of its token; absent: its tokens are of an outside provider, or it is of an older version. */
  readonly nodeId?: string
  readonly cores?: number
  /** Whether its models run on a graphics card. */
  readonly card?: boolean
  readonly models?: readonly string[]
  /** False: it cannot reach the store of footage and results, and takes no work. */
  readonly storeThere?: boolean
  /** Its places by kind of work. */
  readonly slots?: Readonly<Record<string, { readonly busy: number; readonly all: number }>>
  /** Digests and keys of what it has, used last first. */
  readonly has?: readonly string[]
  readonly cacheBytes?: number
  /** Bytes since it was started. */
  readonly moved?: {
    readonly store: { readonly read: number; readonly written: number }
    readonly appliance: { readonly read: number; readonly written: number }
  }
}

/** Tasks of one kind of work that no node has taken. */
export interface Backlog {
  readonly label: string
  readonly waiting: number
  /** Since the first of them was queued; 0: none waits. */
  readonly oldestMs: number
}

export interface WorkerNodes extends NodeTasks {
  /** Of all nodes that are there; null: their queue cannot be reached now. */
  reports(): Promise<readonly NodeReport[] | null>
  /** Of each kind of work. */
  backlog(): readonly Backlog[]
}

/** The result of a stage that a page waits for, or its progress. */
export type ForegroundState =
  | { readonly kind: 'making'; readonly progress: number }
  | { readonly kind: 'made'; readonly key: string; readonly output: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** What became of a query that was to be read by the model of meaning. `model`: its name and content. */
export type QueryReading =
  | { readonly kind: 'read'; readonly model: string; readonly vector: Float32Array }
  | { readonly kind: 'no-model' }
  /** The model is being loaded, which is so at the first search after a while. */
  | { readonly kind: 'not-ready'; readonly model: string }
  | { readonly kind: 'failed'; readonly model: string; readonly message: string }

/** `stopped`: by the signal. */
export type BackgroundResult =
  | {
      readonly kind: 'made'
      readonly key: string
      readonly output: unknown
      readonly warnings: readonly string[]
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

export interface BackgroundStage {
  readonly invocation: StageInvocation
  readonly companyId: string
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number) => void
}

export interface Jobs {
  /** Runs a stage that nobody waits for, when its lane has a place. Absent where no stages run. */
  readonly runInBackground?: (work: BackgroundStage) => Promise<BackgroundResult>
  /** Reads a query by the model of meaning, which stays loaded for a while. Absent where no stages run. */
  readonly readQuery?: (text: string) => Promise<QueryReading>
  /** Runs a stage for an open page, as foreground-stages.ts does. Absent where no stages run. */
  runInForeground?(
    wanted: { readonly invocation: StageInvocation; readonly companyId: string },
    waitMs: number,
  ): Promise<ForegroundState>
  /** Absent where no stage goes to worker nodes. */
  readonly nodes?: WorkerNodes
  /** Looks for new work in the queue now instead of at the next poll. */
  wake(): void
  /** False while the appliance is shutting down, when nothing that is queued would start. Absent: true. */
  takesWork?(): boolean
  /** Resolves when the operation settles; null when it has not after `timeoutMs`. */
  whenSettled(operationId: string, timeoutMs: number): Promise<SettledOperation | null>
  /** Requests a queued or running operation to stop. */
  cancel(operationId: string): void
  /** Stops taking work, lets go of leases, ends the engine. */
  stop(): Promise<void>
}
