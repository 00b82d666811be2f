------------------------------- MODULE Lease -------------------------------
\* SPDX-License-Identifier: Apache-2.0
(***************************************************************************)
(* The life of a lease: take it, renew it, lose it, give it back, while    *)
(* commands and answers are late, lost or overtake each other, processes   *)
(* stop between any two steps, and the two clocks do not run alike.        *)
(*                                                                         *)
(* A bid is one acquisition with its token, from its first try to the end  *)
(* of its lease; a process that locks twice is two bids. Time goes in      *)
(* ticks. Nothing counts absolute time: the key, the holder's validity,    *)
(* and every command on its way know how many ticks they have left or are  *)
(* old. No action is ever forced, so a process may stop between any two    *)
(* steps; only what a timer does is done in time, by those not stopped.    *)
(*                                                                         *)
(*   here                           in the code                            *)
(*   Ask, AcquireAnswered, GiveUp   Acquisition.java, Bid.java             *)
(*   AcquireArrives                 acquire.lua                            *)
(*   Renew, RenewAnswered, Tick     LeaseKeeper.java, Hold.java            *)
(*   RenewArrives                   renew.lua                              *)
(*   Release ... ReleaseFails       Releaser.java                          *)
(*   ReleaseArrives                 release.lua                            *)
(*   CleanUp                        Cleaner.java, abandon.lua              *)
(*                                                                         *)
(* Left out: the queue (HandOver.tla: here who finds the lock taken asks   *)
(* again), fencing tokens and loss of data (Fencing.tla), owner ids, and   *)
(* the gate inside a process, where one thread's try may be under way in   *)
(* time beside another's. A command is carried out within one TTL of its   *)
(* sending or never, which is what the clean-up counts on. A clean-up and  *)
(* its answer are one step; one that was lost is one that did not happen   *)
(* yet, but the last of a series gets through.                             *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Bids,          \* acquisitions, each with a token of its own
  Ttl,           \* ticks the key lives
  Renewals,      \* what a renewal may ask for: Ttl, and less by hand
  Margin,        \* ticks by which a holder stops believing sooner: LeaseTerms.margin
  Drift,         \* ticks the server's clock may gain during one TTL
  Insistent,     \* bids that do all that is here; the others, their rivals, ask once, release once and do not renew
  MostTries,     \* tries of an insistent bid
  MostUnderWay,  \* commands and answers on the wire at once
  Broken         \* "nothing", or the rule that is left out: see README.md

VARIABLES
  key,       \* the key in Redis: whose, ticks left, how much the clock may still gain, taken for nobody
  wire,      \* commands that are on their way, and answers
  pc,        \* per bid: new, asking, held, stopped (when it should have been told), releasing, again (for the second time),
             \* lost (and told), over
  left,      \* per bid: ticks for which the holder believes in it
  tries,     \* per bid: tries sent
  open,      \* per bid: tries, and 0 for a release, that were not answered in time
  heard,     \* per bid: those of them that were answered later
  cleaning,  \* per bid: ticks until the clean-up ends; Off, or Once
  ranOut,    \* history: bids whose key came to its end by itself
  wrongs     \* history: what must not happen and a single state does not show

vars == <<key, wire, pc, left, tries, open, heard, cleaning, ranOut, wrongs>>

Nobody == "nobody"
Free   == [bid |-> Nobody, left |-> 0, gain |-> 0, ghost |-> FALSE]
Off    == -1
Once   == Ttl + 1

Max(a, b) == IF a > b THEN a ELSE b

\* What isHeld() answers (TokenLease, Hold.isValid).
IsHeld(b) == /\ left[b] > 0
             /\ \/ pc[b] = "held"
                \/ Broken = "HeldUntilReleaseAnswered" /\ pc[b] \in {"releasing", "again"}

\* Validity is counted from before the command was sent, so its age when the answer comes is lost (Hold.proven).
Proven(m) == LET age    == IF Broken = "ValidFromReply" THEN 0 ELSE m.age
                 margin == IF Broken = "NoMargin" THEN 0 ELSE Margin
             IN Max(0, m.ttl - margin - age)

Init ==
  /\ key = Free
  /\ wire = {}
  /\ pc = [b \in Bids |-> "new"]
  /\ left = [b \in Bids |-> 0]
  /\ tries = [b \in Bids |-> 0]
  /\ open = [b \in Bids |-> {}]
  /\ heard = [b \in Bids |-> {}]
  /\ cleaning = [b \in Bids |-> Off]
  /\ ranOut = {}
  /\ wrongs = {}

----------------------------------------------------------------------------
\* The wire. A command without an answer is on its way to the server; with one, on its way back.

Send(b, verb, try, ttl) ==
  /\ Cardinality(wire) < MostUnderWay
  /\ wire' = wire \cup {[bid |-> b, verb |-> verb, try |-> try, ttl |-> ttl, age |-> 0, answer |-> ""]}

Commands(verb) == {m \in wire : m.verb = verb /\ m.answer = ""}
Answers(verb)  == {m \in wire : m.verb = verb /\ m.answer # ""}

Answer(m, answer) == wire' = (wire \ {m}) \cup {[m EXCEPT !.answer = answer]}
Receive(m)        == wire' = wire \ {m}

----------------------------------------------------------------------------
\* Take it.

\* The first try, and every further one: after "busy", or when no answer came. The token stays the same.
Ask(b) ==
  /\ pc[b] \in {"new", "asking"}
  /\ tries[b] < IF b \in Insistent THEN MostTries ELSE 1
  /\ Send(b, "acquire", tries[b] + 1, Ttl)
  /\ pc' = [pc EXCEPT ![b] = "asking"]
  /\ tries' = [tries EXCEPT ![b] = @ + 1]
  /\ open' = [open EXCEPT ![b] = @ \cup {tries[b] + 1}]
  /\ UNCHANGED <<key, left, heard, cleaning, ranOut, wrongs>>

\* A life is set anew only if that makes it longer.
Extended(ttl) == IF key.left < ttl THEN [key EXCEPT !.left = ttl, !.gain = Drift] ELSE key

AcquireArrives ==
  \E m \in Commands("acquire") :
    /\ CASE key.bid = Nobody ->
              /\ key' = [bid |-> m.bid, left |-> m.ttl, gain |-> Drift, ghost |-> pc[m.bid] # "asking"]
              /\ Answer(m, "granted")
         [] key.bid = m.bid ->
              /\ key' = Extended(m.ttl)
              /\ Answer(m, "granted")
         [] OTHER ->
              /\ Answer(m, "busy")
              /\ UNCHANGED key
    /\ UNCHANGED <<pc, left, tries, open, heard, cleaning, ranOut, wrongs>>

\* A clean-up of tries goes on until all of them are answered, for one TTL at most; without any once is enough.
CleanUpFor(b, unanswered) ==
  cleaning' = [cleaning EXCEPT ![b] = IF unanswered # {} THEN Ttl ELSE Once]

\* When another try was sent the answer comes too late to count. A grant that took longer than the lease is given back.
AcquireAnswered ==
  \E m \in Answers("acquire") :
    LET b == m.bid
        inTime == m.try = tries[b] /\ pc[b] = "asking"
        unanswered == open[b] \ {m.try}
    IN /\ Receive(m)
       /\ IF inTime
            THEN open' = [open EXCEPT ![b] = unanswered] /\ UNCHANGED heard
            ELSE heard' = [heard EXCEPT ![b] = @ \cup {m.try}] /\ UNCHANGED open
       /\ CASE inTime /\ m.answer = "granted" /\ Proven(m) > 0 ->
                 /\ pc' = [pc EXCEPT ![b] = "held"]
                 /\ left' = [left EXCEPT ![b] = Proven(m)]
                 /\ UNCHANGED cleaning
            [] inTime /\ m.answer = "granted" /\ Proven(m) = 0 ->
                 /\ pc' = [pc EXCEPT ![b] = "over"]
                 /\ CleanUpFor(b, unanswered)
                 /\ UNCHANGED left
            [] OTHER -> UNCHANGED <<pc, left, cleaning>>
       /\ UNCHANGED <<key, tries, ranOut, wrongs>>

\* The caller's time is up, or it was interrupted: what may have been granted is undone.
GiveUp(b) ==
  /\ b \in Insistent
  /\ pc[b] = "asking"
  /\ pc' = [pc EXCEPT ![b] = "over"]
  /\ IF open[b] = {} THEN UNCHANGED cleaning ELSE CleanUpFor(b, open[b])
  /\ UNCHANGED <<key, wire, left, tries, open, heard, ranOut, wrongs>>

----------------------------------------------------------------------------
\* Keep it, or lose it.

\* LeaseKeeper asks for the whole TTL, Lease.renew perhaps for less.
Renew(b, ttl) ==
  /\ b \in Insistent
  /\ pc[b] = "held" /\ left[b] > 0
  /\ ~ \E m \in wire : m.bid = b /\ m.verb = "renew" /\ m.ttl = ttl
  /\ Send(b, "renew", 0, ttl)
  /\ UNCHANGED <<key, pc, left, tries, open, heard, cleaning, ranOut, wrongs>>

RenewArrives ==
  \E m \in Commands("renew") :
    /\ IF key.bid = m.bid
         THEN /\ key' = IF Broken = "RenewalShortens" THEN [key EXCEPT !.left = m.ttl, !.gain = Drift]
                                                      ELSE Extended(m.ttl)
              /\ Answer(m, "renewed")
         ELSE /\ Answer(m, "gone")
              /\ UNCHANGED key
    /\ UNCHANGED <<pc, left, tries, open, heard, cleaning, ranOut, wrongs>>

\* Loss is final (Hold.lose). A try that is still open must not take the lock for nobody (Bid.close).
Lose(b) ==
  /\ pc' = [pc EXCEPT ![b] = "lost"]
  /\ left' = [left EXCEPT ![b] = 0]
  /\ IF open[b] = {} THEN UNCHANGED cleaning ELSE CleanUpFor(b, open[b])

RenewAnswered ==
  \E m \in Answers("renew") :
    LET b == m.bid IN
    /\ Receive(m)
    /\ CASE m.answer = "gone" /\ pc[b] = "held" -> Lose(b)
         [] m.answer = "renewed" /\ pc[b] = "held" /\ left[b] > 0 ->
              \* by hand it may also cut what the holder believes: Hold.resize; otherwise Hold.extend
              LET until == IF m.ttl = Ttl THEN Max(left[b], Proven(m)) ELSE Proven(m) IN
              IF until = 0 THEN Lose(b)
              ELSE /\ left' = [left EXCEPT ![b] = until]
                   /\ UNCHANGED <<pc, cleaning>>
         [] m.answer = "renewed" /\ pc[b] = "lost" /\ Broken = "LateRenewalRevives" ->
              /\ pc' = [pc EXCEPT ![b] = "held"]
              /\ left' = [left EXCEPT ![b] = Proven(m)]
              /\ UNCHANGED cleaning
         [] m.answer = "renewed" /\ pc[b] \in {"held", "lost"} /\ m.ttl = Ttl -> \* renewed for nobody
              /\ pc' = [pc EXCEPT ![b] = "lost"]
              /\ left' = [left EXCEPT ![b] = 0]
              /\ IF cleaning[b] = Off THEN CleanUpFor(b, open[b]) ELSE UNCHANGED cleaning
         [] m.answer = "renewed" /\ pc[b] \in {"releasing", "again"} /\ Broken = "RenewalCleansUpAfterClose" ->
              /\ CleanUpFor(b, {})
              /\ UNCHANGED <<pc, left>>
         [] OTHER -> UNCHANGED <<pc, left, cleaning>> \* whoever closed it takes the key off
    /\ UNCHANGED <<key, tries, open, heard, ranOut, wrongs>>

----------------------------------------------------------------------------
\* Give it back.

\* isHeld() turns false before anything is sent.
Release(b) ==
  /\ pc[b] = "held" /\ left[b] > 0
  /\ Send(b, "release", 1, 0)
  /\ pc' = [pc EXCEPT ![b] = "releasing"]
  /\ left' = [left EXCEPT ![b] = IF Broken = "HeldUntilReleaseAnswered" THEN @ ELSE 0]
  /\ UNCHANGED <<key, tries, open, heard, cleaning, ranOut, wrongs>>

\* No answer: once more.
ReleaseAgain(b) ==
  /\ b \in Insistent
  /\ pc[b] = "releasing"
  /\ Send(b, "release", 2, 0)
  /\ pc' = [pc EXCEPT ![b] = "again"]
  /\ UNCHANGED <<key, left, tries, open, heard, cleaning, ranOut, wrongs>>

ReleaseFails(b) ==
  /\ pc[b] = "again"
  /\ pc' = [pc EXCEPT ![b] = "over"]
  /\ left' = [left EXCEPT ![b] = 0]
  /\ open' = [open EXCEPT ![b] = @ \cup {0}]
  /\ CleanUpFor(b, {0})
  /\ UNCHANGED <<key, wire, tries, heard, ranOut, wrongs>>

\* One whose lease was lost meanwhile is still asked to give it back: the next one need not wait for the key to end.
ReleaseTooLate(b) ==
  /\ pc[b] = "lost"
  /\ pc' = [pc EXCEPT ![b] = "over"]
  /\ IF cleaning[b] = Off THEN CleanUpFor(b, {}) ELSE UNCHANGED cleaning
  /\ UNCHANGED <<key, wire, left, tries, open, heard, ranOut, wrongs>>

\* Takes the key off if it is this bid's, or if nobody compares.
TakeOff(b, compares) ==
  IF key.bid = b \/ (~compares /\ key.bid # Nobody)
    THEN /\ key' = Free
         /\ wrongs' = IF key.bid = b THEN wrongs ELSE wrongs \cup {"freed another's"}
    ELSE UNCHANGED <<key, wrongs>>

ReleaseArrives ==
  \E m \in Commands("release") :
    /\ TakeOff(m.bid, Broken # "ReleaseDoesNotCompare")
    /\ Answer(m, IF key' = Free /\ key # Free THEN "yes" ELSE "no")
    /\ UNCHANGED <<pc, left, tries, open, heard, cleaning, ranOut>>

\* A second one that finds nothing is a yes too: the first one may have done the work.
ReleaseAnswered ==
  \E m \in Answers("release") :
    LET b == m.bid IN
    /\ Receive(m)
    /\ IF pc[b] \in {"releasing", "again"}
         THEN /\ pc' = [pc EXCEPT ![b] = "over"]
              /\ left' = [left EXCEPT ![b] = 0]
              /\ wrongs' = IF m.answer = "no" /\ pc[b] = "releasing" /\ b \notin ranOut
                             THEN wrongs \cup {"release found nothing"} ELSE wrongs
              /\ IF open[b] = {} THEN UNCHANGED cleaning ELSE CleanUpFor(b, open[b])
         ELSE UNCHANGED <<pc, left, wrongs, cleaning>>
    /\ UNCHANGED <<key, tries, open, heard, ranOut>>

CleanUp(b) ==
  /\ cleaning[b] # Off
  /\ TakeOff(b, Broken # "AbandonDoesNotCompare")
  /\ cleaning' = [cleaning EXCEPT ![b] =
                    IF @ \in {0, Once} \/ open[b] \subseteq heard[b] \/ Broken = "CleansUpOnce" THEN Off ELSE @]
  /\ UNCHANGED <<wire, pc, left, tries, open, heard, ranOut>>

----------------------------------------------------------------------------
\* Time, and processes that stop.

KeyAfterATick(gained) ==
  IF key.left = 1
    THEN /\ key' = Free
         /\ ranOut' = IF pc[key.bid] \in {"releasing", "again"} THEN ranOut \cup {key.bid} ELSE ranOut
    ELSE /\ key' = IF key.bid = Nobody THEN key ELSE [key EXCEPT !.left = @ - 1, !.gain = @ - gained]
         /\ UNCHANGED ranOut

\* The keeper's alarm rings when validity ends.
Ends(b) == pc[b] = "held" /\ left[b] = 1 /\ Broken # "LossIsNotTimed"

HasTimerDue(b) == Ends(b) \/ cleaning[b] = 0

\* Of the processes with a timer due some stand still. The others tell losses at once, and have sent a clean-up's last command.
Tick(stopped) ==
  /\ \A b \in Bids \ stopped : cleaning[b] # 0
  /\ KeyAfterATick(0)
  /\ left' = [b \in Bids |-> Max(0, left[b] - 1)]
  /\ pc' = [b \in Bids |-> IF Ends(b) THEN IF b \in stopped THEN "stopped" ELSE "lost" ELSE pc[b]]
  /\ cleaning' = [b \in Bids |-> CASE Ends(b) /\ b \notin stopped /\ open[b] # {} -> Ttl
                                   [] cleaning[b] \in 1..Ttl -> cleaning[b] - 1
                                   [] OTHER -> cleaning[b]]
  /\ wire' = {[m EXCEPT !.age = @ + 1] : m \in {n \in wire : n.age + 1 < Ttl}}
  /\ UNCHANGED <<tries, open, heard, wrongs>>

ServersClockGains ==
  /\ key.gain > 0
  /\ KeyAfterATick(1)
  /\ UNCHANGED <<wire, pc, left, tries, open, heard, cleaning, wrongs>>

\* A paused process learns of its loss at the first check after waking: isHeld() itself tells.
Wake(b) ==
  /\ pc[b] = "stopped"
  /\ Lose(b)
  /\ UNCHANGED <<key, wire, tries, open, heard, ranOut, wrongs>>

Next ==
  \/ \E b \in Bids : \/ Ask(b) \/ GiveUp(b) \/ CleanUp(b) \/ Wake(b)
                     \/ Release(b) \/ ReleaseAgain(b) \/ ReleaseFails(b) \/ ReleaseTooLate(b)
                     \/ \E ttl \in Renewals : Renew(b, ttl)
  \/ AcquireArrives \/ AcquireAnswered \/ RenewArrives \/ RenewAnswered \/ ReleaseArrives \/ ReleaseAnswered
  \/ \E stopped \in SUBSET {b \in Bids : HasTimerDue(b)} : Tick(stopped)
  \/ ServersClockGains

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
\* What is promised.

\* P2: at most one isHeld() is true at any instant.
OneClaim == \A a, b \in Bids : IsHeld(a) /\ IsHeld(b) => a = b

\* P3: who does not hold any more and has not been told of it, though its process was not stopped, still has the key. So the
\* holder is told before the TTL ends.
ToldInTime == \A b \in Bids : pc[b] = "held" /\ ~IsHeld(b) => key.bid = b

\* A release or an abandon never frees another's lock.
NeverFreesAnothers == "freed another's" \notin wrongs

\* A release of a valid lease is answered true, unless the key ran out on the way.
ReleaseFindsItsLock == "release found nothing" \notin wrongs

\* A late copy of an acquire may take the lock for a bid that is over: then the clean-up is still at work.
NoGhost == \A b \in Bids : key.bid = b /\ key.ghost /\ pc[b] \in {"lost", "over"} => cleaning[b] # Off

\* A claim that has ended stays so.
NoResurrection == [][\A b \in Bids : pc[b] \notin {"new", "asking"} /\ ~IsHeld(b) => ~IsHeld(b)']_vars
=============================================================================
