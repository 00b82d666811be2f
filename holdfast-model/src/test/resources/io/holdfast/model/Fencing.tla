------------------------------ MODULE Fencing ------------------------------
\* SPDX-License-Identifier: Apache-2.0
(***************************************************************************)
(* Fencing tokens, when the server loses its data or its clock steps back, *)
(* and the store that refuses stale writers.                               *)
(*                                                                         *)
(* A lease gets its token once, from Redis or, inside its process, from    *)
(* the lease before it. From then on it may write at any time: its holder  *)
(* may have slept since, or not know that the lock is another's by now.    *)
(* So nothing here depends on who really holds the lock, nor on any TTL.   *)
(* A process whose data was lost goes on with its grant until it knows,    *)
(* which may be never: its turns are late once another has a newer grant.  *)
(*                                                                         *)
(*   here                           in the code                            *)
(*   NextBase, Grant                fence.lua, acquire.lua, Engine.java    *)
(*   HandOn, Token                  Gate.java, Bid.java, Fence.java        *)
(*   Write                          fenced-set.lua, FencedSql.java         *)
(*                                                                         *)
(* A grant takes the server at least one tick of its clock (a microsecond).*)
(* Left out: that a floor more than an hour ahead of the server does not   *)
(* count (a broken client's), several grants of one process under way at   *)
(* once, and a grant whose answer was lost (its retry gets the same base). *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Processes,
  MostLeases,  \* in all
  LastTurn,    \* leases of one grant, less one: 1023 in Fence.java
  LatestTime,  \* where the server's clock stops
  MostFaults,  \* losses of data, and steps of the clock, in all
  Broken       \* "nothing", or the rule that is left out: see README.md

VARIABLES
  clock,     \* the server's
  counter,   \* the last base it issued; 0 when it knows none
  grant,     \* per process: base and next turn of the hold it has, base 0 for none, and whether the server lost it
  floor,     \* per process: the highest base it has seen
  token,     \* per lease: its fencing token, 0 before it has one
  place,     \* history, per lease: the how-manieth it was
  late,      \* history: leases handed on in a process after another one was granted the lock
  highest,   \* history: the highest base ever issued
  stepped,   \* history: the clock has stepped back
  excused,   \* history: a base was issued without data by a clock that had stepped behind the last one: not promised to rise
  faults,    \* history: how many there were
  store,     \* the fenced value: the token that wrote last, and that lease's place
  wrongs     \* history: what a single state does not show

vars == <<clock, counter, grant, floor, token, place, late, highest, stepped, excused, faults, store, wrongs>>

Leases == Processes \X (1..(MostLeases - 1))
NoGrant == [base |-> 0, turn |-> 0, lost |-> FALSE]
Max(a, b) == IF a > b THEN a ELSE b
Given == {l \in Leases : place[l] > 0}

Init ==
  /\ clock = 1
  /\ counter = 0
  /\ grant = [p \in Processes |-> NoGrant]
  /\ floor = [p \in Processes |-> 0]
  /\ token = [l \in Leases |-> 0]
  /\ place = [l \in Leases |-> 0]
  /\ late = {}
  /\ highest = 0
  /\ stepped = FALSE
  /\ excused = FALSE
  /\ faults = 0
  /\ store = [token |-> 0, place |-> 0]
  /\ wrongs = {}

----------------------------------------------------------------------------

Token(base, turn) == base * (LastTurn + 1) + turn
Base(value) == value \div (LastTurn + 1)

\* next_fence: max(last + 1, server time), and more than what the client has seen.
NextBase(p) ==
  LET risen == Max(clock, counter + 1)
  IN CASE Broken = "CounterOnly" -> counter + 1
       [] Broken = "NoFloor"     -> risen
       [] OTHER                  -> Max(risen, floor[p] + 1)

\* What the server counts on by: one for each grant, whatever its leases make of it.
Counted(base) == IF Broken = "ServerIssuesBlocks" THEN base + 2 ELSE base

\* The next lease of a process gets that token.
Begins(p, value, isLate) ==
  \E n \in 1..(MostLeases - 1) :
    /\ Cardinality(Given) < MostLeases
    /\ place[<<p, n>>] = 0
    /\ \A m \in 1..(n - 1) : place[<<p, m>>] > 0
    /\ token' = [token EXCEPT ![<<p, n>>] = value]
    /\ place' = [place EXCEPT ![<<p, n>>] = Cardinality(Given) + 1]
    /\ late' = IF isLate THEN late \cup {<<p, n>>} ELSE late

Grant(p) ==
  LET base == NextBase(p) IN
  /\ clock < LatestTime
  /\ clock' = clock + 1
  /\ counter' = Counted(base)
  /\ grant' = [q \in Processes |-> IF q = p THEN [base |-> base, turn |-> 1, lost |-> FALSE] ELSE grant[q]]
  /\ floor' = [floor EXCEPT ![p] = Max(@, base)]
  /\ Begins(p, Token(base, 0), FALSE)
  /\ highest' = Max(highest, base)
  /\ excused' = (excused \/ (stepped /\ counter = 0 /\ clock <= highest))
  /\ UNCHANGED <<stepped, faults, store, wrongs>>

\* Inside a process, without Redis: the grant's next turn. After the last one a new base is needed. Only while no other
\* process was granted the lock since, which the TTL sees to (Lease.tla), unless the server lost what it had granted.
HandOn(p) ==
  /\ grant[p].base > 0
  /\ grant[p].base = highest \/ grant[p].lost
  /\ grant[p].turn <= LastTurn \/ Broken = "TurnsWithoutEnd"
  /\ Begins(p, Token(grant[p].base, grant[p].turn), grant[p].base # highest)
  /\ grant' = [grant EXCEPT ![p].turn = @ + 1]
  /\ UNCHANGED <<clock, counter, floor, highest, stepped, excused, faults, store, wrongs>>

\* A write is accepted unless a higher token has written before; an equal one is the same holder's second.
Write(l) ==
  LET accepted == CASE Broken = "StoreDoesNotCompare"  -> TRUE
                    [] Broken = "StoreRefusesEquals" -> token[l] > store.token
                    [] OTHER                        -> token[l] >= store.token
      stale  == token[l] < store.token \/ (place[l] < store.place /\ ~excused)
      newest == l \notin late /\ (\A m \in Given \ late : place[m] <= place[l]) /\ ~excused
  IN /\ place[l] > 0
     /\ store' = IF accepted THEN [token |-> token[l], place |-> IF l \in late THEN store.place ELSE place[l]] ELSE store
     /\ wrongs' = wrongs \cup (IF accepted /\ stale THEN {"stale write accepted"} ELSE {})
                         \cup (IF ~accepted /\ newest THEN {"newest holder refused"} ELSE {})
     /\ UNCHANGED <<clock, counter, grant, floor, token, place, late, highest, stepped, excused, faults>>

Tick ==
  /\ clock < LatestTime
  /\ clock' = clock + 1
  /\ UNCHANGED <<counter, grant, floor, token, place, late, highest, stepped, excused, faults, store, wrongs>>

Fault ==
  /\ faults < MostFaults
  /\ faults' = faults + 1
  /\ UNCHANGED <<floor, token, place, late, highest, excused, store, wrongs>>

\* A restart without data, FLUSHALL, a failover to a replica that knew nothing of it.
LoseData ==
  /\ Fault
  /\ counter' = 0
  /\ grant' = [p \in Processes |-> [grant[p] EXCEPT !.lost = grant[p].base > 0]]
  /\ UNCHANGED <<clock, stepped>>

ClockStepsBack == Fault /\ clock > 1 /\ clock' = 1 /\ stepped' = TRUE /\ UNCHANGED <<counter, grant>>

Next ==
  \/ \E p \in Processes : Grant(p) \/ HandOn(p)
  \/ \E l \in Leases : Write(l)
  \/ Tick \/ LoseData \/ ClockStepsBack

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
\* What is promised.

RisesAmong(some) == \A l, m \in some : place[l] < place[m] => token[l] < token[m]

\* Every lease has a token of its own, higher than all before it; a late turn, than those of its own grant. What Redis grants
\* is never late.
TokensRise == ~excused =>
  \A l, m \in Given :
    /\ l # m => token[l] # token[m]
    /\ place[l] < place[m] /\ (m \notin late \/ Base(token[l]) = Base(token[m])) => token[l] < token[m]

\* Even without data and with a clock that is behind, a process never gets a lower token than it had before.
OwnTokensRise == \A p \in Processes : RisesAmong({l \in Given : l[1] = p})

\* P1: no write is accepted after one with a higher token, or of a later lease (but for a late turn: others write after it).
NoStaleWrite == "stale write accepted" \notin wrongs

\* The newest holder can write, and write again.
HolderCanWrite == "newest holder refused" \notin wrongs
=============================================================================
