/**
 * Minimum cut of a grid into two parts: every pixel has a preference, and neighbours prefer to stay together. Maximum
 * flow by two growing search trees (Boykov and Kolmogorov, 2004), in integers, so that it terminates and gives the same
 * result on every machine.
 */

/** Costs of parting a pixel from its neighbours; the grid's edges are left out by 0. */
export interface GridLinks {
  readonly right: Int32Array
  readonly downLeft: Int32Array
  readonly down: Int32Array
  readonly downRight: Int32Array
}

const FREE = 0
const FRONT = 1
const BACK = 2
/** Parents other than the eight neighbours: the terminal, none after a loss, no tree. */
const ROOT = 8
const ORPHAN = 9
const NOWHERE = 10
const LARGEST = 0x7fffffff

/** Padded by a rim of nodes that nothing leads to, so that each node has eight neighbours. The way back is `7 - way`. */
interface Flow {
  readonly ways: Int32Array
  /** Eight a node: what may still flow to each neighbour. */
  readonly capacity: Int32Array
  /** What a node still has to give (above 0) or to take (below 0). */
  readonly preference: Int32Array
  readonly tree: Uint8Array
  readonly parent: Uint8Array
  /** When a node was last known to hang on a root, and how far from it. */
  readonly seen: Int32Array
  readonly far: Int32Array
  /** Nodes that may grow, as a ring. */
  readonly queue: Int32Array
  readonly queued: Uint8Array
  head: number
  waiting: number
  now: number
  readonly orphans: number[]
}

/** 1 for foreground pixels, 0 for others. `preference`: above 0 for the foreground, below for the background. */
export function minCut(width: number, height: number, preference: Int32Array, links: GridLinks): Uint8Array {
  const flow = startFlow(width, height, preference, links)
  for (;;) {
    const meeting = grow(flow)
    if (meeting < 0) break
    flow.now += 1
    augment(flow, meeting >> 3, meeting & 7)
    for (let orphan = flow.orphans.pop(); orphan !== undefined; orphan = flow.orphans.pop())
      adopt(flow, orphan)
  }
  const front = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      front[y * width + x] = flow.tree[(y + 1) * (width + 2) + x + 1] === FRONT ? 1 : 0
  return front
}

function startFlow(width: number, height: number, preference: Int32Array, links: GridLinks): Flow {
  const across = width + 2
  const count = across * (height + 2)
  const flow: Flow = {
    ways: Int32Array.of(-across - 1, -across, -across + 1, -1, 1, across - 1, across, across + 1),
    capacity: new Int32Array(count * 8),
    preference: new Int32Array(count),
    tree: new Uint8Array(count),
    parent: new Uint8Array(count).fill(NOWHERE),
    seen: new Int32Array(count),
    far: new Int32Array(count),
    queue: new Int32Array(count),
    queued: new Uint8Array(count),
    head: 0,
    waiting: 0,
    now: 1,
    orphans: [],
  }
  const link = (node: number, way: number, cost: number): void => {
    flow.capacity[node * 8 + way] = cost
    flow.capacity[(node + flow.ways[way]!) * 8 + 7 - way] = cost
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const node = (y + 1) * across + x + 1
      if (x + 1 < width) link(node, 4, links.right[at]!)
      if (y + 1 < height) {
        if (x > 0) link(node, 5, links.downLeft[at]!)
        link(node, 6, links.down[at]!)
        if (x + 1 < width) link(node, 7, links.downRight[at]!)
      }
      const own = preference[at]!
      if (own === 0) continue
      flow.preference[node] = own
      flow.tree[node] = own > 0 ? FRONT : BACK
      flow.parent[node] = ROOT
      enqueue(flow, node)
    }
  return flow
}

function enqueue(flow: Flow, node: number): void {
  if (flow.queued[node] === 1) return
  flow.queued[node] = 1
  flow.queue[(flow.head + flow.waiting) % flow.queue.length] = node
  flow.waiting += 1
}

/** Grows both trees until they meet: eight times the node of the front's tree, and the way over to the other; -1: never. */
function grow(flow: Flow): number {
  const { ways, capacity, tree, parent, queue, queued } = flow
  while (flow.waiting > 0) {
    const node = queue[flow.head]!
    const own = tree[node]!
    if (own !== FREE)
      for (let way = 0; way < 8; way++) {
        const next = node + ways[way]!
        const open = own === FRONT ? capacity[node * 8 + way]! : capacity[next * 8 + 7 - way]!
        if (open === 0) continue
        if (tree[next] === FREE) {
          tree[next] = own
          parent[next] = 7 - way
          flow.seen[next] = flow.seen[node]!
          flow.far[next] = flow.far[node]! + 1
          enqueue(flow, next)
        } else if (tree[next] !== own) return own === FRONT ? node * 8 + way : next * 8 + 7 - way
      }
    queued[node] = 0
    flow.head = (flow.head + 1) % queue.length
    flow.waiting -= 1
  }
  return -1
}

/** Sends as much as fits from the root of one node to the root of the other. */
function augment(flow: Flow, front: number, over: number): void {
  const { ways, capacity, preference, parent } = flow
  const back = front + ways[over]!
  let most = capacity[front * 8 + over]!
  let node = front
  for (let way = parent[node]!; way !== ROOT; way = parent[node]!) {
    const above = node + ways[way]!
    most = Math.min(most, capacity[above * 8 + 7 - way]!)
    node = above
  }
  most = Math.min(most, preference[node]!)
  node = back
  for (let way = parent[node]!; way !== ROOT; way = parent[node]!) {
    most = Math.min(most, capacity[node * 8 + way]!)
    node += ways[way]!
  }
  most = Math.min(most, -preference[node]!)
  capacity[front * 8 + over]! -= most
  capacity[back * 8 + 7 - over]! += most
  push(flow, front, most, FRONT)
  push(flow, back, most, BACK)
}

/** Takes the flow off the way from a node to its root; what is used up there becomes an orphan. */
function push(
  { ways, capacity, preference, parent, orphans }: Flow,
  from: number,
  amount: number,
  tree: number,
): void {
  let node = from
  for (let way = parent[node]!; way !== ROOT; way = parent[node]!) {
    const above = node + ways[way]!
    const down = tree === FRONT ? above * 8 + 7 - way : node * 8 + way
    const up = tree === FRONT ? node * 8 + way : above * 8 + 7 - way
    capacity[down]! -= amount
    capacity[up]! += amount
    if (capacity[down] === 0) {
      parent[node] = ORPHAN
      orphans.push(node)
    }
    node = above
  }
  preference[node]! -= tree === FRONT ? amount : -amount
  if (preference[node] === 0) {
    parent[node] = ORPHAN
    orphans.push(node)
  }
}

/** Hangs an orphan on a neighbour of its tree that still hangs on a root; where there is none it falls out of the tree. */
function adopt(flow: Flow, node: number): void {
  const { ways, capacity, tree, parent } = flow
  const own = tree[node]!
  let best = NOWHERE as number
  let nearest = LARGEST
  for (let way = 0; way < 8; way++) {
    const next = node + ways[way]!
    if (tree[next] !== own) continue
    const open = own === FRONT ? capacity[next * 8 + 7 - way]! : capacity[node * 8 + way]!
    if (open === 0) continue
    const far = rootFrom(flow, next)
    if (far < nearest) [best, nearest] = [way, far]
  }
  if (best !== NOWHERE) {
    parent[node] = best
    flow.seen[node] = flow.now
    flow.far[node] = nearest + 1
    return
  }
  for (let way = 0; way < 8; way++) {
    const next = node + ways[way]!
    if (tree[next] !== own) continue
    const open = own === FRONT ? capacity[next * 8 + 7 - way]! : capacity[node * 8 + way]!
    if (open > 0) enqueue(flow, next)
    if (parent[next] === 7 - way) {
      parent[next] = ORPHAN
      flow.orphans.push(next)
    }
  }
  tree[node] = FREE
  parent[node] = NOWHERE
}

/** Steps to the root that a node hangs on, remembered for those on the way; LARGEST: it hangs on an orphan. */
function rootFrom({ ways, parent, seen, far, now }: Flow, from: number): number {
  let steps = 0
  for (let node = from; ; node += ways[parent[node]!]!) {
    if (seen[node] === now) {
      steps += far[node]!
      break
    }
    if (parent[node] === ROOT) {
      seen[node] = now
      far[node] = 0
      break
    }
    if (parent[node]! > ROOT) return LARGEST
    steps += 1
  }
  let left = steps
  for (let node = from; seen[node] !== now; node += ways[parent[node]!]!) {
    seen[node] = now
    far[node] = left
    left -= 1
  }
  return steps
}
