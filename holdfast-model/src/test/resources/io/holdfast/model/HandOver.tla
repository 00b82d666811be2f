------------------------------ MODULE HandOver ------------------------------
\* SPDX-License-Identifier: Apache-2.0
(***************************************************************************)
(* How a lock goes from one process to the next: the queue in Redis, the   *)
(* lock passed on for a moment, word of it that is late or lost, the       *)
(* acquire that confirms it; the lock handed over for good, word of which  *)
(* needs no confirmation; and processes that leave, stop or die at any     *)
(* point of this.                                                          *)
(*                                                                         *)
(* A bid is one acquisition with its token, and here a process of its own. *)
(* It begins with its first acquire under way. No action is ever forced:   *)
(* a process that is paused is one that takes no step while time goes on,  *)
(* and word that is lost is word that never arrives.                       *)
(*                                                                         *)
(*   here                           in the code                            *)
(*   Ask, AcquireAnswered, GiveUp   Acquisition.java, Bid.java             *)
(*   Acquired                       acquire.lua                            *)
(*   PassedOn                       pass_on, hand_over in queue.lua        *)
(*   WordOfGrant, WordOfWish        Mailbox.java, Switchboard.java         *)
(*   WordOfHandOver                 Bid.claimByWord                        *)
(*   Release, ReleaseArrives        Releaser.java, release.lua             *)
(*   Serve                          Switchboard.Released, release.lua      *)
(*   CleanUp                        Cleaner.java, abandon.lua              *)
(*   QueueExpires                   PEXPIRE in join of queue.lua           *)
(*                                                                         *)
(* Left out: what is in Lease.tla. So a command arrives and is answered in *)
(* one step, or arrives and the answer is lost; nothing is renewed; and a  *)
(* holder believes in its lease exactly as long as the key lives, unless   *)
(* it was handed over (Lease shows that it stops sooner). One copy of an acquire is under way at a   *)
(* time. A clean-up goes on while a copy may yet arrive, not by the clock. *)
(* Any waiter may be handed the lock for good, not only one that has just  *)
(* arrived: that rule keeps a paused process from blocking the others, and *)
(* nothing is promised of that here. Also left out: owner ids, fair locks, *)
(* those who do not wait, exact keys, the gate inside a process, and that  *)
(* a lock only just passed on is spared the word that it is wanted.        *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC

CONSTANTS
  Bids,        \* acquisitions
  Ttl,         \* ticks a lease lasts
  Moment,      \* ticks a lock that was passed on waits to be confirmed: a second in queue.lua
  Impatient,   \* those that may give up, and whose commands may be late or their answers lost
  Mortal,      \* those whose process may die
  Holder,      \* in FairSpec: who has the lock at the beginning
  First,       \* in FairSpec: who is the first in the queue
  Broken       \* "nothing", or the rule that is left out: see README.md

VARIABLES
  key,       \* whose, ticks left (-1: no end), and by what: free by "ttl" or "command", taken by "acquire" or "hand-over"
  queue,     \* those who wait, in order of arrival
  word,      \* messages on their way: <<"granted", b>>, <<"handed over", b>>, <<"wanted", b>>
  pc,        \* per bid: waiting, held, releasing, over; or expired, when the key it was handed outlives its lease
  left,      \* per bid: ticks for which its holder believes in it
  proof,     \* per bid: ticks for which it could believe word alone: what is left of a TTL since its only question was sent
  underWay,  \* bids with an acquire on its way to the server
  wanted,    \* bids that know that others want their lock
  unseen,    \* bids that release, or have, without a look at the queue
  serving,   \* bids that are about to have the queue served after such a release
  cleaning,  \* bids whose clean-up goes on
  dead       \* bids whose process has died

vars == <<key, queue, word, pc, left, proof, underWay, wanted, unseen, serving, cleaning, dead>>

Nobody == "nobody"
Free(how) == [bid |-> Nobody, left |-> 0, by |-> how]
Taken(b, ticks) == [bid |-> b, left |-> ticks, by |-> "acquire"]
HandedOver(b) == [bid |-> b, left |-> Ttl, by |-> "hand-over"]
Symmetry == Permutations(Bids)

Alive(b) == b \notin dead
IsOver(b) == pc[b] \in {"over", "expired"}
Without(b) == SelectSeq(queue, LAMBDA entry : entry # b)
Waits(b) == \E i \in 1..Len(queue) : queue[i] = b

\* Nobody heeds word for a bid that is over, unless it was released unseen.
Heeds(b) == Alive(b) /\ (~IsOver(b) \/ b \in unseen)
Tell(kind, b) == word' = IF Heeds(b) THEN word \cup {<<kind, b>>} ELSE word
WordWithout(gone) == word' = {w \in word : w[2] \notin gone}

Init ==
  /\ key = Free("ttl")
  /\ queue = <<>>
  /\ word = {}
  /\ pc = [b \in Bids |-> "waiting"]
  /\ left = [b \in Bids |-> 0]
  /\ proof = [b \in Bids |-> Ttl]
  /\ underWay = Bids
  /\ wanted = {}
  /\ unseen = {}
  /\ serving = {}
  /\ cleaning = {}
  /\ dead = {}

----------------------------------------------------------------------------
\* At the server.

\* The first in the queue gets the lock for a moment, or for good, and word. One whose process does not listen is passed over; a
\* dead process may still look as if it did.
PassedOn ==
  \/ \E i \in 1..Len(queue) :
       /\ \A j \in 1..(i - 1) : queue[j] \in dead
       /\ \/ /\ key' = Taken(queue[i], IF Broken = "PassedOnForEver" THEN -1 ELSE Moment)
             /\ Tell("granted", queue[i])
          \/ /\ key' = HandedOver(queue[i])
             /\ Tell("handed over", queue[i])
       /\ queue' = SubSeq(queue, i + 1, Len(queue))
  \/ /\ \A i \in 1..Len(queue) : queue[i] \in dead
     /\ key' = Free("command")
     /\ queue' = <<>>
     /\ UNCHANGED word

\* Free, or passed on to it: it gets the whole TTL and leaves the queue. Otherwise it joins, once, and the holder is sent word,
\* unless it was handed the lock and so reckons with others anyway.
Acquired(b) ==
  IF key.bid \in {Nobody, b}
    THEN /\ key' = IF key.bid = b /\ key.by = "hand-over" THEN HandedOver(b) ELSE Taken(b, Ttl)
         /\ queue' = IF Broken = "EntryOutlivesGrant" THEN queue ELSE Without(b)
         /\ UNCHANGED word
    ELSE /\ queue' = IF Waits(b) THEN queue ELSE Append(queue, b)
         /\ IF key.by = "hand-over" THEN UNCHANGED word ELSE Tell("wanted", key.bid)
         /\ UNCHANGED key

----------------------------------------------------------------------------
\* Those who wait.

\* Also without word: when the holder's key must have ended, and every 2 s.
MayAsk(b) == Alive(b) /\ pc[b] = "waiting" /\ b \notin underWay /\ Broken # "NobodyPolls"

\* Nobody can tell whether word that comes after a second question is about the time before it.
AskedAgain(b) == proof' = [proof EXCEPT ![b] = IF Broken = "WordOfAnEarlierStay" THEN Ttl ELSE 0]

Ask(b) ==
  /\ MayAsk(b) /\ b \in Impatient
  /\ underWay' = underWay \cup {b}
  /\ AskedAgain(b)
  /\ UNCHANGED <<key, queue, word, pc, left, wanted, unseen, serving, cleaning, dead>>

\* Word only makes a waiter ask: until that is answered it claims nothing.
WordOfGrant(b) ==
  /\ Alive(b) /\ <<"granted", b>> \in word
  /\ word' = word \ {<<"granted", b>>}
  /\ CASE pc[b] # "waiting" -> UNCHANGED <<pc, left, proof, underWay>>
       [] pc[b] = "waiting" /\ Broken # "WordIsBelieved" ->
            /\ underWay' = underWay \cup {b}
            /\ AskedAgain(b)
            /\ UNCHANGED <<pc, left>>
       [] OTHER ->
            /\ pc' = [pc EXCEPT ![b] = "held"]
            /\ left' = [left EXCEPT ![b] = Ttl]
            /\ UNCHANGED <<proof, underWay>>
  /\ UNCHANGED <<key, queue, wanted, unseen, serving, cleaning, dead>>

\* The lock became its own at some time after its only question was sent, for a whole TTL: believed for what is left of that since
\* the question; without any left it asks. Whoever is handed a lock reckons with others who want it.
WordOfHandOver(b) ==
  /\ Alive(b) /\ <<"handed over", b>> \in word
  /\ word' = word \ {<<"handed over", b>>}
  /\ CASE pc[b] # "waiting" -> UNCHANGED <<pc, left, proof, underWay, wanted>>
       [] pc[b] = "waiting" /\ proof[b] = 0 ->
            /\ underWay' = underWay \cup {b}
            /\ UNCHANGED <<pc, left, proof, wanted>>
       [] OTHER ->
            /\ pc' = [pc EXCEPT ![b] = "held"]
            /\ left' = [left EXCEPT ![b] = IF Broken = "WordIsNew" THEN Ttl ELSE proof[b]]
            /\ wanted' = IF Broken = "HandedOverUnaware" THEN wanted ELSE wanted \cup {b}
            /\ UNCHANGED <<proof, underWay>>
  /\ UNCHANGED <<key, queue, unseen, serving, cleaning, dead>>

\* The answer to a grant also says whether others are in the queue.
AcquireAnswered(b) ==
  /\ b \in underWay \/ (MayAsk(b) /\ b \notin Impatient)
  /\ underWay' = underWay \ {b}
  /\ IF b \in underWay THEN UNCHANGED proof ELSE AskedAgain(b)
  /\ Acquired(b)
  /\ IF key'.bid = b /\ Alive(b) /\ pc[b] = "waiting"
       THEN /\ pc' = [pc EXCEPT ![b] = "held"]
            /\ left' = [left EXCEPT ![b] = Ttl]
            /\ wanted' = IF queue' = <<>> /\ key'.by = "acquire" THEN wanted ELSE wanted \cup {b}
       ELSE UNCHANGED <<pc, left, wanted>>
  /\ UNCHANGED <<unseen, serving, cleaning, dead>>

\* The answer is lost: the waiter asks again, with the same token, or gives up.
AcquireNotAnswered(b) ==
  /\ b \in underWay /\ pc[b] = "waiting" /\ b \in Impatient
  /\ underWay' = underWay \ {b}
  /\ Acquired(b)
  /\ UNCHANGED <<pc, left, proof, wanted, unseen, serving, cleaning, dead>>

GiveUp(b) ==
  /\ Alive(b) /\ pc[b] = "waiting" /\ b \in Impatient
  /\ pc' = [pc EXCEPT ![b] = "over"]
  /\ cleaning' = cleaning \cup {b}
  /\ wanted' = wanted \ {b}
  /\ WordWithout({b})
  /\ UNCHANGED <<key, queue, left, proof, underWay, unseen, serving, dead>>

\* Leaves the queue, or passes on what it was given; again and again while a copy of the acquire may yet arrive.
CleanUp(b) ==
  /\ b \in cleaning
  /\ CASE key.bid # b \/ Broken = "AbandonKeepsTheLock" -> queue' = Without(b) /\ UNCHANGED <<key, word>>
       [] key.bid = b /\ Broken = "AbandonDoesNotPassOn" -> key' = Free("command") /\ UNCHANGED <<queue, word>>
       [] OTHER -> PassedOn
  /\ cleaning' = IF b \in underWay /\ Broken # "CleansUpOnce" THEN cleaning ELSE cleaning \ {b}
  /\ UNCHANGED <<pc, left, proof, underWay, wanted, unseen, serving, dead>>

----------------------------------------------------------------------------
\* Those who hold.

\* A holder that knows of nobody deletes its lock without a look at the queue.
Release(b) ==
  /\ Alive(b) /\ pc[b] = "held"
  /\ pc' = [pc EXCEPT ![b] = "releasing"]
  /\ left' = [left EXCEPT ![b] = 0]
  /\ unseen' = IF b \in wanted THEN unseen ELSE unseen \cup {b}
  /\ word' = word \ (IF b \in wanted THEN {"wanted", "granted", "handed over"} ELSE {"granted", "handed over"}) \X {b}
  /\ UNCHANGED <<key, queue, proof, underWay, wanted, serving, cleaning, dead>>

\* One that looks at the queue passes the lock on also when it finds it free: somebody may have joined before it ran out.
ReleaseArrives(b) ==
  /\ pc[b] = "releasing"
  /\ CASE key.bid = b /\ b \in unseen -> key' = Free("command") /\ UNCHANGED <<queue, word>>
       [] key.bid \in {b, Nobody} /\ b \notin unseen -> PassedOn
       [] OTHER -> UNCHANGED <<key, queue, word>>
  /\ pc' = [pc EXCEPT ![b] = "over"]
  /\ serving' = IF b \in unseen \cap wanted THEN serving \cup {b} ELSE serving
  /\ wanted' = wanted \ {b}
  /\ UNCHANGED <<left, proof, underWay, unseen, cleaning, dead>>

\* Word that crossed with an unseen release has the queue served, once the release is answered.
WordOfWish(b) ==
  /\ Alive(b) /\ <<"wanted", b>> \in word
  /\ word' = word \ {<<"wanted", b>>}
  /\ wanted' = IF IsOver(b) THEN wanted ELSE wanted \cup {b}
  /\ serving' = IF IsOver(b) /\ b \in unseen /\ Broken # "WordAfterReleaseIgnored"
                  THEN serving \cup {b} ELSE serving
  /\ UNCHANGED <<key, queue, pc, left, proof, underWay, unseen, cleaning, dead>>

Serve(b) ==
  /\ b \in serving
  /\ serving' = serving \ {b}
  /\ IF key.bid = Nobody THEN PassedOn ELSE UNCHANGED <<key, queue, word>>
  /\ UNCHANGED <<pc, left, proof, underWay, wanted, unseen, cleaning, dead>>

----------------------------------------------------------------------------
\* Time, and death.

Tick ==
  /\ key.left > 0 \/ \E b \in Bids : left[b] > 0
  /\ key' = CASE key.left = 1 -> Free("ttl")
              [] key.left > 1 -> [key EXCEPT !.left = @ - 1]
              [] OTHER -> key
  /\ left' = [b \in Bids |-> IF left[b] > 0 THEN left[b] - 1 ELSE 0]
  /\ proof' = [b \in Bids |-> IF proof[b] > 0 /\ pc[b] = "waiting" THEN proof[b] - 1 ELSE 0]
  /\ pc' = [b \in Bids |-> IF left[b] # 1 THEN pc[b] ELSE IF key'.bid = b THEN "expired" ELSE "over"]
  /\ wanted' = {b \in wanted : left[b] # 1}
  /\ WordWithout({b \in Bids : left[b] = 1})
  /\ UNCHANGED <<queue, underWay, unseen, serving, cleaning, dead>>

\* A minute after the last of those who live has asked, the queue is gone.
QueueExpires ==
  /\ queue # <<>>
  /\ \A i \in 1..Len(queue) : queue[i] \in dead
  /\ Broken # "QueueDoesNotExpire"
  /\ queue' = <<>>
  /\ UNCHANGED <<key, word, pc, left, proof, underWay, wanted, unseen, serving, cleaning, dead>>

Die(b) ==
  /\ Alive(b) /\ ~IsOver(b) /\ b \in Mortal
  /\ dead' = dead \cup {b}
  /\ WordWithout({b})
  /\ UNCHANGED <<key, queue, pc, left, proof, underWay, wanted, unseen, serving, cleaning>>

Next ==
  \/ \E b \in Bids : \/ Ask(b) \/ WordOfGrant(b) \/ WordOfHandOver(b) \/ AcquireAnswered(b) \/ AcquireNotAnswered(b) \/ GiveUp(b) \/ CleanUp(b)
                     \/ Release(b) \/ ReleaseArrives(b) \/ WordOfWish(b) \/ Serve(b) \/ Die(b)
  \/ Tick \/ QueueExpires

\* What goes on whatever happens: time; those who wait ask, and those who live do not hold for ever. Not that word arrives.
Fairness ==
  /\ WF_vars(Tick)
  /\ WF_vars(QueueExpires)
  /\ WF_vars(\E b \in Bids : Release(b) \/ ReleaseArrives(b))
  /\ \A b \in Bids : WF_vars(AcquireAnswered(b))

\* To look at what comes in the end it is enough to begin in the middle, which keeps that small.
InLine ==
  /\ key = Taken(Holder, Ttl)
  /\ LET others == Bids \ {Holder, First}
     IN queue = IF others = {} THEN <<First>> ELSE <<First, CHOOSE b \in others : TRUE>>
  /\ word = {<<"wanted", Holder>>}
  /\ pc = [b \in Bids |-> IF b = Holder THEN "held" ELSE "waiting"]
  /\ left = [b \in Bids |-> IF b = Holder THEN Ttl ELSE 0]
  /\ proof = [b \in Bids |-> Ttl]
  /\ underWay = {} /\ wanted = {} /\ unseen = {} /\ serving = {} /\ cleaning = {} /\ dead = {}

Spec == Init /\ [][Next]_vars
FairSpec == InLine /\ [][Next]_vars /\ Fairness

----------------------------------------------------------------------------
\* What is promised.

\* P2: at most one isHeld() is true at any instant.
OneClaim == \A a, b \in Bids : left[a] > 0 /\ left[b] > 0 => a = b

\* P5: who has the lock, or is done with it, is not in the queue; and who is done does not have the lock.
NothingLeftBehind ==
  \A b \in Bids \ (cleaning \cup dead) : /\ pc[b] # "waiting" => ~Waits(b)
                                         /\ pc[b] = "over" => key.bid # b

\* A lock that was given back while others wait is theirs, or word is on its way that will make it so (unless the one who is
\* to act on it died).
NobodyIsForgotten ==
  key.by = "command" /\ queue # <<>> =>
    serving # {} \/ \E b \in unseen : <<"wanted", b>> \in word \/ b \in dead

\* P4: who waits and lives gets the lock, or leaves, whoever dies before it and whatever word is lost.
WaiterGetsIt == \A b \in Bids \ Mortal : pc[b] = "waiting" ~> pc[b] # "waiting"

\* P5: no entry stays for one that has died.
NoEntryStays == \A b \in Mortal : Waits(b) /\ b \in dead ~> ~Waits(b)
=============================================================================
