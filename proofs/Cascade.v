(* Cascade: spec/cascade.md.  ERR takes the probabilities R(r(1)), R(r(2)), ... to stop,
  RBP the relevance indicators. *)
Require Import Reals Lra Lia List Permutation Psatz Factorial Binomial.
From Rankspec Require Import Numbers Gain Ties Dcg Length Bounds.
From Rankspec Require Precision.
Import ListNotations.
Open Scope R_scope.

Definition probability x := 0 <= x <= 1.

(** RS-CAS-1: R(g) = (2^g - 1) / 2^max *)
Definition stop (most g : nat) := (2 ^ g - 1) / 2 ^ most.

(** RS-CAS-1/L1 in part: 0 <= R(g) < 1, and R(g + 1) > R(g) *)
Theorem CAS_1_L1 most g : (g <= most)%nat -> 0 <= stop most g < 1 /\ stop most g < stop most (S g).
Proof.
  intros L; pose proof (Rle_pow 2 g most ltac:(lra) L); pose proof (pow_R1_Rle 2 g ltac:(lra));
  unfold stop; repeat split.
  - apply div_nonneg; lra.
  - apply div_lt; lra.
  - apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra|]; rewrite <- (tech_pow_Rmult 2 g); lra.
Qed.
(** RS-CAS-1/L2 in part: with max + 1 instead of max all probabilities are halved *)
Theorem CAS_1_L2 most g : stop (S most) g = stop most g / 2.
Proof. unfold stop; rewrite <- tech_pow_Rmult; field; apply pow_nonzero; lra. Qed.

(** The user goes on after the first i ranks: Q_i; R is 0 beyond the end *)
Fixpoint go_on r i := match i with O => 1 | S j => go_on r j * (1 - at_rank r (S j)) end.

(** RS-CAS-2: ERR@k, the sum of R(r(i)) (1 - R(r(1))) ... (1 - R(r(i - 1))) / i *)
Definition err k r := sum_to (fun i => / INR i * at_rank r i * go_on r (i - 1))
  (Nat.min k (length r)).

Lemma at_rank_probability r i : Forall probability r -> probability (at_rank r i).
Proof.
  intros F; unfold at_rank; destruct (nth_in_or_default (i - 1) r 0) as [E|E]; [|rewrite E;
  unfold probability; lra].
  rewrite Forall_forall in F; apply F; assumption.
Qed.
Lemma go_on_range r i : Forall probability r -> 0 <= go_on r i <= 1.
Proof. intros F; induction i; cbn; [lra|]; pose proof (at_rank_probability r (S i) F) as [A B];
  nra. Qed.
Lemma go_on_falls r i : Forall probability r -> go_on r (S i) <= go_on r i.
Proof. intros F; cbn; pose proof (at_rank_probability r (S i) F) as [A B];
  pose proof (go_on_range r i F); nra. Qed.
Lemma err_sum k r : err k r = sum_to (fun i => / INR i * at_rank r i * go_on r (i - 1)) k.
Proof. apply sum_to_min; intros; rewrite at_rank_beyond by assumption; lra. Qed.
Lemma rank_pos i : 0 < INR (S i).
Proof. apply lt_0_INR; lia. Qed.

(** RS-CAS-2/L1: it is the sum of (Q_(i-1) - Q_i) / i ... *)
Theorem CAS_2_L1 k r : err k r = sum_to (fun i => (go_on r (i - 1) - go_on r i) / INR i) k.
Proof.
  rewrite err_sum; apply sum_to_ext; intros [|i] I; [lia|]; replace (S i - 1)%nat with i by lia;
  cbn [go_on]; unfold Rdiv; ring.
Qed.
(** RS-CAS-2/L1: ... and 1 - the sum of Q_i / (i (i + 1)) below k - Q_k / k *)
Theorem CAS_2_L1_by_parts k r : err (S k) r =
  1 - sum_to (fun i => go_on r i / (INR i * INR (S i))) k - go_on r (S k) / INR (S k).
Proof.
  rewrite CAS_2_L1; induction k as [|k IH]; [cbn; field|].
  change (sum_to (fun i => (go_on r (i - 1) - go_on r i) / INR i) (S (S k))) with
    (sum_to (fun i => (go_on r (i - 1) - go_on r i) / INR i) (S k) + (go_on r (S k)
    - go_on r (S (S k))) / INR (S (S k))).
  rewrite IH; change (sum_to (fun i => go_on r i / (INR i * INR (S i))) (S k)) with
    (sum_to (fun i => go_on r i / (INR i * INR (S i))) k + go_on r (S k) / (INR (S k)
    * INR (S (S k)))).
  pose proof (rank_pos k); rewrite (S_INR (S k)); field; lra.
Qed.
Lemma err_terms r i : Forall probability r -> (1 <= i)%nat -> 0 <= (go_on r (i - 1) - go_on r i)
  / INR i <= go_on r (i - 1) - go_on r i.
Proof.
  intros F I; destruct i as [|i]; [lia|]; replace (S i - 1)%nat with i by lia;
  pose proof (go_on_falls r i F); pose proof (rank_ge_1 (S i) I).
  split; [apply div_nonneg; lra|apply div_le; [lra|]; nra].
Qed.
Lemma telescope r k : sum_to (fun i => go_on r (i - 1) - go_on r i) k = 1 - go_on r k.
Proof. induction k; [cbn; lra|]; cbn [sum_to]; rewrite IHk; replace (S k - 1)%nat with k by lia;
  lra. Qed.
(** RS-CAS-2/L3 in part: 0 <= ERR@k <= 1; more exactly, at most 1 - Q_k *)
Theorem CAS_2_L3 k r : Forall probability r -> 0 <= err k r <= 1 - go_on r k /\ err k r <= 1.
Proof.
  intros F; rewrite CAS_2_L1, <- telescope; pose proof (go_on_range r k F); repeat split.
  - apply sum_to_nonneg; intros; apply err_terms; assumption || lia.
  - apply sum_to_le; intros; apply err_terms; assumption || lia.
  - apply Rle_trans with (sum_to (fun i => go_on r (i - 1) - go_on r i) k); [|rewrite telescope;
    lra].
    apply sum_to_le; intros; apply err_terms; assumption || lia.
Qed.
(** RS-CAS-2/L3 in part: ... and 1 if and only if the list has a first item,
    at which every user stops *)
Theorem CAS_2_L3_when_1 k r : Forall probability r -> (1 <= k)%nat -> (err k r = 1 <-> r <> [] /\
  at_rank r 1 = 1).
Proof.
  intros F K; destruct k as [|k]; [lia|]; clear K;
  assert (forall i, 0 <= go_on r i) as P by (intro; apply go_on_range; assumption).
  split; intros E.
  - assert (go_on r 1 = 0) as G.
    { rewrite CAS_2_L1_by_parts in E; destruct k as [|k].
      - cbn [sum_to] in E; unfold Rdiv in E; cbn [INR] in E; rewrite Rinv_1 in E; lra.
      - rewrite sum_to_first in E; change (INR 1 * INR 2) with (1 * 2) in E; rewrite Rmult_1_l in E.
        assert (0 <= sum_to (shift 1 (fun i => go_on r i / (INR i * INR (S i)))) k).
        { apply sum_to_nonneg; intros i I; unfold shift; apply div_nonneg;
          [apply P|apply Rmult_lt_0_compat; apply rank_pos]. }
        assert (0 <= go_on r (S (S k)) / INR (S (S k))) by (apply div_nonneg;
        [apply P|apply rank_pos]).
        pose proof (P 1%nat); lra. }
    cbn [go_on] in G; assert (at_rank r 1 = 1) as A by lra; split; [|exact A]; intros ->;
    unfold at_rank in A; cbn in A; lra.
  - destruct E as [N E]; rewrite err_sum, sum_to_first, sum_to_zero.
    + cbn [go_on Nat.sub INR]; rewrite E; field.
    + intros [|i] I; [lia|]; unfold shift; replace (1 + S i - 1)%nat with (S i) by lia.
      assert (forall j, go_on r (S j) = 0) as Z; [|rewrite Z; ring].
      intro j; induction j; cbn [go_on] in *; [rewrite E; ring|rewrite IHj; ring].
Qed.

Lemma go_on_app1 a b i : (i <= length a)%nat -> go_on (a ++ b) i = go_on a i.
Proof. induction i; intros I; cbn; [reflexivity|]; rewrite IHi, at_rank_app1 by lia;
  reflexivity. Qed.
Lemma go_on_app2 a b i : go_on (a ++ b) (length a + i) = go_on a (length a) * go_on b i.
Proof.
  induction i; [rewrite Nat.add_0_r, go_on_app1 by lia; cbn; ring|]; rewrite Nat.add_succ_r;
  cbn [go_on]; rewrite IHi, <- Nat.add_succ_r, at_rank_app2 by lia; ring.
Qed.
(** ERR of the part of a list below s others, at which the user arrives with the probability Q *)
Definition err_below Q s k r := Q * sum_to (fun i => (go_on r (i - 1) - go_on r i) / INR (s + i)) k.
Lemma err_app k a b : err (length a + k) (a ++ b) = err (length a)
  a + err_below (go_on a (length a)) (length a) k b.
Proof.
  rewrite !CAS_2_L1, sum_to_split; unfold err_below; rewrite <- sum_to_scale; f_equal;
  apply sum_to_ext; intros i I.
  - rewrite !go_on_app1 by lia; reflexivity.
  - unfold shift; replace (length a + i - 1)%nat with (length a + (i - 1))%nat by lia;
    rewrite !go_on_app2; unfold Rdiv; ring.
Qed.
(** RS-CAS-2/L4 in part: exchanging neighbours at i, i + 1 <= k raises ERR@k by Q_(i-1) (R' - R)
    / (i (i + 1)) *)
Theorem CAS_2_L4 k a x y b : let i := S (length a) in (S i <= k)%nat ->
  err k (a ++ y :: x :: b) - err k (a ++ x :: y :: b) = go_on a (length a) * (y - x)
  / (INR i * INR (S i)).
Proof.
  intros i K; replace k with (length a + (2 + (k - S i)))%nat by (unfold i in *; lia);
  rewrite !err_app; unfold err_below.
  rewrite !(sum_to_split _ 2 (k - S i)); cbn [sum_to]; unfold shift.
  assert (forall j, (1 <= j)%nat -> go_on (y :: x :: b) (2 + j - 1) - go_on (y :: x :: b) (2 + j)
  = go_on (x :: y :: b) (2 + j - 1) - go_on (x :: y :: b) (2 + j)) as E.
  { assert (forall j, go_on (y :: x :: b) (2 + j) = go_on (x :: y :: b) (2 + j)) as E.
    { intro j; change (y :: x :: b) with ([y; x] ++ b); change (x :: y :: b) with ([x; y] ++ b).
      change (2 + j)%nat with (length [y; x] + j)%nat at 1; change (2 + j)%nat with (length [x;
      y] + j)%nat; rewrite !go_on_app2; unfold at_rank; cbn; ring. }
    intros j J; replace (2 + j - 1)%nat with (2 + (j - 1))%nat by lia; rewrite !E; reflexivity. }
  rewrite (sum_to_ext (fun i0 => (go_on (y :: x :: b) (2 + i0 - 1) - go_on (y :: x :: b) (2 + i0))
  / INR (length a + (2 + i0)))
    (fun i0 => (go_on (x :: y :: b) (2 + i0 - 1) - go_on (x :: y :: b) (2 + i0))
    / INR (length a + (2 + i0)))) by (intros j J; rewrite E by lia; reflexivity).
  assert (forall u v, go_on (u :: v :: b) (1 - 1) = 1 /\ go_on (u :: v :: b) 1 = 1 - u /\
  go_on (u :: v :: b) (2 - 1) = 1 - u /\
    go_on (u :: v :: b) 2 = (1 - u) * (1 - v)) as Q by (intros; unfold at_rank; cbn; repeat split;
    ring).
  destruct (Q x y) as (-> & -> & -> & ->), (Q y x) as (-> & -> & -> & ->).
  replace (length a + 1)%nat with i by (unfold i; lia);
  replace (length a + 2)%nat with (S i) by (unfold i; lia).
  assert (0 < INR i) by (unfold i; apply rank_pos); rewrite (S_INR i); field; lra.
Qed.
(** RS-CAS-2/L6: an appended item adds Q_n R / (n + 1), if n < k;
    a cut-off greater by 1 adds Q_k R(r(k + 1)) / (k + 1) *)
Theorem CAS_2_L6 k r x : err (length r + S k) (r ++ [x]) - err (length r + S k)
  r = go_on r (length r) * x / INR (S (length r)) /\
  err (S k) r - err k r = go_on r k * at_rank r (S k) / INR (S k).
Proof.
  split.
  - rewrite err_app; unfold err_below; rewrite sum_to_first, sum_to_zero.
    + assert (err (length r + S k) r = err (length r) r) as -> by (unfold err; f_equal; lia).
      assert (go_on [x] (1 - 1) - go_on [x] 1 = x) as -> by (unfold at_rank; cbn; ring);
      rewrite Nat.add_1_r; unfold Rdiv; ring.
    + intros [|i] I; [lia|]; unfold shift; replace (1 + S i - 1)%nat with (S i) by lia;
      change (1 + S i)%nat with (S (S i)).
      change (go_on [x] (S (S i))) with (go_on [x] (S i) * (1 - at_rank [x] (S (S i)))).
      rewrite (at_rank_beyond [x] (S (S i))) by (cbn; lia); unfold Rdiv; ring.
  - rewrite !err_sum; cbn [sum_to]; replace (S k - 1)%nat with k by lia; unfold Rdiv; ring.
Qed.
(** RS-CAS-2/L5 in part: raising R at one rank never lowers ERR@k: it lowers Q_i,
    and raises no other *)
Theorem CAS_2_L5 k r s : Forall probability r -> Forall probability s -> (forall i,
  at_rank r i <= at_rank s i) -> err k r <= err k s.
Proof.
  intros F G H; assert (forall i, go_on s i <= go_on r i) as L.
  { induction i; cbn; [lra|]; pose proof (at_rank_probability s (S i) G) as [? ?];
    pose proof (go_on_range r i F); pose proof (go_on_range s i G); specialize (H (S i)); nra. }
  destruct k as [|k]; [unfold err; cbn; lra|]; rewrite !CAS_2_L1_by_parts.
  assert (sum_to (fun i => go_on s i / (INR i * INR (S i)))
  k <= sum_to (fun i => go_on r i / (INR i * INR (S i))) k).
  { apply sum_to_le; intros [|i] I; [lia|]; apply Rmult_le_compat_r;
    [apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; apply rank_pos|apply L]. }
  assert (go_on s (S k) / INR (S k) <= go_on r (S k) / INR (S k)) by (apply Rmult_le_compat_r;
  [apply Rlt_le, Rinv_0_lt_compat, rank_pos|apply L]); lra.
Qed.

(** * The mean of products *)

(** The sum of the products of j of the numbers *)
Fixpoint symmetric j l := match j, l with O, _ => 1 | S _, [] => 0 | S i,
  x :: l' => symmetric j l' + x * symmetric i l' end.
(** RS-EXP-13: the mean of the products of j of the numbers *)
Definition mean_products j l := symmetric j l / C (length l) j.

Fixpoint product_of_first j (l : list R) := match j, l with O, _ => 1 | S _, [] => 0 | S i,
  x :: l' => x * product_of_first i l' end.

Lemma symmetric_beyond j l : (length l < j)%nat -> symmetric j l = 0.
Proof. revert j; induction l as [|x l IH]; intros [|j] L; cbn in *; try lia; try reflexivity;
  rewrite !IH by lia; ring. Qed.
Lemma first_beyond j l : (length l < j)%nat -> product_of_first j l = 0.
Proof. revert j; induction l as [|x l IH]; intros [|j] L; cbn in *; try lia; try reflexivity;
  rewrite IH by lia; ring. Qed.
Lemma total_inserts_first x j p : (j <= S (length p))%nat -> total (product_of_first j)
  (inserts x p) =
  match j with O => INR (S (length p)) | S i => INR j * x * product_of_first i p + (INR (length p)
  + 1 - INR j) * product_of_first j p end.
Proof.
  revert j; induction p as [|y p IH]; intros [|j] J.
  - cbn; lra.
  - cbn in J; replace j with O by lia; cbn; lra.
  - rewrite (total_ext _ (fun _ => 1)), total_const, inserts_length by reflexivity; ring.
  - cbn [inserts total]; rewrite total_map; cbn [length] in J.
    rewrite (total_ext _ (fun q => y * product_of_first j q)), total_scale,
    IH by (reflexivity || lia).
    destruct j as [|j]; cbn [product_of_first length]; rewrite !S_INR; change (INR 0) with 0; ring.
Qed.
Lemma total_orders_first j l : (j <= length l)%nat ->
  total (product_of_first j) (orders l) = INR (fact j) * INR (fact (length l - j)) * symmetric j l.
Proof.
  revert j; induction l as [|x l IH]; intros j J; [replace j with O by (cbn in J; lia); cbn; lra|].
  rewrite total_orders_cons; cbn [length] in J |- *.
  rewrite (total_ext _ (fun p => match j with O => INR (S (length l))
  | S i => INR j * x * product_of_first i p + (INR (length l) + 1 - INR j)
  * product_of_first j p end)).
  2: { intros p P; apply orders_are_permutations, Permutation_length in P;
  rewrite total_inserts_first by lia; rewrite <- P; reflexivity. }
  destruct j as [|j].
  - rewrite total_const, orders_length; cbn [symmetric];
    replace (S (length l) - 0)%nat with (S (length l)) by lia.
    change (fact (S (length l))) with (S (length l) * fact (length l))%nat; rewrite mult_INR;
    change (INR (fact 0)) with 1; ring.
  - rewrite total_plus, !total_scale, IH by lia; cbn [symmetric];
    replace (S (length l) - S j)%nat with (length l - j)%nat by lia.
    change (fact (S j)) with (S j * fact j)%nat; rewrite mult_INR;
    destruct (Nat.eq_dec j (length l)) as [->|N].
    + rewrite (symmetric_beyond (S (length l)) l) by lia;
      rewrite (total_ext _ (fun _ => 0)), total_const; [rewrite S_INR; ring|].
      intros p P; apply orders_are_permutations, Permutation_length in P; apply first_beyond; lia.
    + rewrite (IH (S j)) by lia; change (fact (S j)) with (S j * fact j)%nat; rewrite mult_INR.
      replace (length l - j)%nat with (S (length l - S j)) by lia;
      change (fact (S (length l - S j))) with (S (length l - S j) * fact (length l - S j))%nat.
      rewrite mult_INR; replace (INR (S (length l - S j))) with (INR (length l) + 1 - INR (S j));
      [ring|].
      rewrite (S_INR (length l - S j)), minus_INR by lia; ring.
Qed.
(** RS-EXP-13/L2: it is the mean of x(1) ... x(j) over all orders *)
Theorem EXP_13_L2 j l : (j <= length l)%nat -> mean (product_of_first j) (orders l)
  = mean_products j l.
Proof.
  intros J; unfold mean, mean_products, C; rewrite total_orders_first, orders_length by assumption.
  pose proof (lt_0_INR _ (lt_O_fact j)); pose proof (lt_0_INR _ (lt_O_fact (length l - j)));
  pose proof (lt_0_INR _ (lt_O_fact (length l))); field; lra.
Qed.
(** RS-EXP-13/L1: a_j(n + 1) = (n + 1 - j)/(n + 1) a_j(n) + j/(n + 1) x a_(j-1)(n) *)
Theorem EXP_13_L1 j x l : (1 <= j <= length l)%nat -> let n := INR (length l) in
  mean_products j (x :: l) = (n + 1 - INR j) / (n + 1) * mean_products j l + INR j / (n + 1)
  * x * mean_products (j - 1) l.
Proof.
  intros J n; destruct j as [|j]; [lia|]; replace (S j - 1)%nat with j by lia;
  unfold mean_products, C; cbn [length symmetric].
  replace (S (length l) - S j)%nat with (length l - j)%nat by lia;
  replace (length l - j)%nat with (S (length l - S j)) by lia.
  change (fact (S (length l - S j))) with (S (length l - S j) * fact (length l - S j))%nat;
  change (fact (S j)) with (S j * fact j)%nat.
  change (fact (S (length l))) with (S (length l) * fact (length l))%nat; rewrite !mult_INR.
  assert (INR (S (length l - S j)) = n + 1 - INR (S j)) as E by (unfold n;
  rewrite (S_INR (length l - S j)), minus_INR by lia; ring).
  pose proof (lt_0_INR _ (lt_O_fact j)); pose proof (lt_0_INR _ (lt_O_fact (length l - S j)));
  pose proof (lt_0_INR _ (lt_O_fact (length l))).
  pose proof (rank_pos j); pose proof (rank_pos (length l - S j));
  pose proof (rank_pos (length l)); rewrite E in *; rewrite (S_INR (length l)) in *;
  fold n in H4 |- *.
  field; repeat split; lra.
Qed.

Lemma go_on_first r j : (j <= length r)%nat -> go_on r j = product_of_first j (map (fun x => 1 - x)
  r).
Proof.
  assert (forall x l i, go_on (x :: l) (S i) = (1 - x) * go_on l i) as cons.
  { intros x l i; change (x :: l) with ([x] ++ l); change (S i) with (length [x] + i)%nat;
    rewrite go_on_app2; unfold at_rank; cbn; ring. }
  revert j; induction r as [|x r IH]; intros [|j] J; cbn in J; try lia; try reflexivity.
  rewrite cons, IH by lia; reflexivity.
Qed.
(** The mean of Q_j over all orders of a group *)
Lemma mean_go_on r j : (j <= length r)%nat -> mean (fun p => go_on p j) (orders r)
  = mean_products j (map (fun x => 1 - x) r).
Proof.
  intros J; rewrite <- EXP_13_L2 by (rewrite map_length; assumption); rewrite orders_map;
  unfold mean; rewrite total_map, map_length; f_equal.
  apply total_ext; intros p P; apply orders_are_permutations, Permutation_length in P;
  apply go_on_first; lia.
Qed.

(** RS-EXP-14: the sum over the groups T, below s items, of Q_T (a_(j-1) - a_j) / (s + j), j = 1,
    ..., m *)
Fixpoint expected_err k (s : nat) Q T :=
  match T with
  | [] => 0
  | t :: T' => let m := Nat.min (length t) (k - s) in
      let a j := mean_products j (map (fun x => 1 - x) t) in
      Q * sum_to (fun j => (a (j - 1)%nat - a j) / INR (s + j))
      m + expected_err k (s + length t)%nat (Q * go_on t (length t)) T'
  end.

Lemma go_on_perm r p : Permutation r p -> go_on r (length r) = go_on p (length p).
Proof.
  assert (forall x l i, go_on (x :: l) (S i) = (1 - x) * go_on l i) as cons.
  { intros x l i; change (x :: l) with ([x] ++ l); change (S i) with (length [x] + i)%nat;
    rewrite go_on_app2; unfold at_rank; cbn; ring. }
  induction 1; cbn [length]; rewrite ?cons; [reflexivity|rewrite IHPermutation;
  reflexivity|ring|congruence].
Qed.
Lemma err_below_more Q s k r : err_below Q s k r = err_below Q s (Nat.min (length r) k) r.
Proof.
  unfold err_below; f_equal; rewrite Nat.min_comm; symmetry; apply sum_to_min; intros [|i] I;
  [lia|]; replace (S i - 1)%nat with i by lia; cbn [go_on].
  rewrite at_rank_beyond by assumption; unfold Rdiv; ring.
Qed.
Lemma err_below_app Q s k a b : err_below Q s k (a ++ b)
  = err_below Q s k a + err_below (Q * go_on a (length a)) (s + length a) (k - length a) b.
Proof.
  unfold err_below; destruct (Nat.le_gt_cases k (length a)) as [L|L].
  - replace (k - length a)%nat with 0%nat by lia; cbn [sum_to]; rewrite Rmult_0_r, Rplus_0_r;
    f_equal; apply sum_to_ext; intros i I; rewrite !go_on_app1 by lia; reflexivity.
  - replace k with (length a + (k - length a))%nat at 1 by lia;
    rewrite sum_to_split, Rmult_plus_distr_l; f_equal.
    + fold (err_below Q s k a); rewrite err_below_more, Nat.min_l by lia; unfold err_below;
      f_equal; apply sum_to_ext; intros i I; rewrite !go_on_app1 by lia; reflexivity.
    + rewrite Rmult_assoc, <- (sum_to_scale (go_on a (length a))); f_equal; apply sum_to_ext;
      intros i I; unfold shift.
      replace (length a + i - 1)%nat with (length a + (i - 1))%nat by lia;
      rewrite !go_on_app2, Nat.add_assoc; unfold Rdiv; ring.
Qed.
(** RS-EXP-14/L1: it equals RS-EXP-1 with M = ERR@k *)
Theorem EXP_14_L1 k T : expectation (err k) T = expected_err k 0 1 T.
Proof.
  rewrite (expectation_ext _ (err_below 1 0 (k - 0))).
  2: { intros p _; rewrite CAS_2_L1, Nat.sub_0_r; unfold err_below; rewrite Rmult_1_l;
  reflexivity. }
  generalize 0%nat as s, 1 as Q; induction T as [|t T IH]; intros s Q.
  - rewrite expectation_nil, err_below_more; unfold err_below; cbn; ring.
  - rewrite expectation_cons; cbn [expected_err]; rewrite <- IH.
    rewrite (mean_ext _ (fun p => err_below Q s (Nat.min (length t) (k - s)) p +
      expectation (err_below (Q * go_on t (length t)) (s + length t) (k - (s + length t))) T)).
    2: { intros p P; apply orders_are_permutations in P; pose proof (Permutation_length P) as L;
    rewrite (go_on_perm t p P), L.
         rewrite (expectation_ext _ (fun q => err_below Q s (Nat.min (length p) (k - s))
         p + err_below (Q * go_on p (length p)) (s + length p) (k - (s + length p)) q)).
         - rewrite expectation_plus, expectation_const; reflexivity.
         - intros q _; rewrite err_below_app, <- err_below_more; f_equal; f_equal; lia. }
    rewrite mean_plus, mean_const by apply orders_some; f_equal; unfold err_below;
    rewrite mean_scale, mean_sum_to; f_equal.
    apply sum_to_ext; intros j J; rewrite mean_div; f_equal.
    rewrite (mean_ext _ (fun p => go_on p (j - 1) + -1 * go_on p j)), mean_plus, mean_scale,
    !mean_go_on by (intros; lia || lra); lra.
Qed.

(** * Ideal and normalised ERR *)

Lemma err_better_first k : forall a x y b, Forall probability (a ++ x :: y :: b) -> x <= y ->
  err k (a ++ x :: y :: b) <= err k (a ++ y :: x :: b).
Proof.
  intros a x y b F L; apply Forall_app in F; destruct F as [Fa F]; inversion F as [|? ? Px F'];
  inversion F' as [|? ? Py Fb]; subst.
  destruct (Nat.le_gt_cases (S (S (length a))) k) as [K|K].
  - pose proof (CAS_2_L4 k a x y b K) as E; cbn zeta in E;
    pose proof (go_on_range a (length a) Fa); pose proof (rank_pos (length a));
    pose proof (rank_pos (S (length a))).
    assert (0 <= go_on a (length a) * (y - x) / (INR (S (length a)) * INR (S (S (length a)))))
    by (apply div_nonneg; nra); lra.
  - assert (forall u v w, (S (length a) >= k)%nat -> err k (a ++ u :: v :: w) = err k (a ++ [u]))
    as cut_.
    { intros u v w K'; rewrite !err_sum; apply sum_to_ext; intros i I.
      assert (at_rank (a ++ u :: v :: w) i = at_rank (a ++ [u]) i) as ->.
      { change (u :: v :: w) with ([u] ++ v :: w); rewrite app_assoc; apply at_rank_app1;
        rewrite app_length; cbn; lia. }
      change (u :: v :: w) with ([u] ++ v :: w); rewrite app_assoc, (go_on_app1 (a ++ [u]))
      by (rewrite app_length; cbn; lia); reflexivity. }
    rewrite !cut_ by lia; apply CAS_2_L5; [apply Forall_app; auto|apply Forall_app; auto|]; intro i.
    destruct (Nat.le_gt_cases i (length a)) as [I|I]; [destruct i as [|i]|].
    + unfold at_rank; destruct a; cbn; lra.
    + rewrite !at_rank_app1 by lia; lra.
    + replace i with (length a + (i - length a))%nat by lia; rewrite !at_rank_app2 by lia;
      unfold at_rank; destruct (i - length a - 1)%nat as [|[|]]; cbn; lra.
Qed.

(** RS-CAS-3: IERR@k, ERR@k of the ideal ranking *)
Definition ierr k J := err k (ideal J).
(** RS-CAS-4: nERR@k = ERR@k / IERR@k *)
Definition nerr k r J := quotient (err k r) (ierr k J).
(** RS-EXP-15: E[nERR@k] = E[ERR@k] / IERR@k *)
Definition expected_nerr k T J := quotient (expected_err k 0 1 T) (ierr k J).

(** RS-CAS-3/L1: IERR@k is the largest ERR@k of all orders of J,
    and so of all lists of items of J *)
Theorem CAS_3_L1 k J r rest : Forall probability J -> Permutation J (r ++ rest) ->
  err k r <= ierr k J.
Proof.
  intros F P; assert (Forall probability (r ++ rest)) as G by (eapply Permutation_Forall;
  eassumption).
  apply Rle_trans with (err k (r ++ rest)).
  - apply CAS_2_L5; [apply Forall_app in G; tauto|assumption|]; intro i;
    destruct (Nat.le_gt_cases i (length r)) as [I|I]; [destruct i as [|i]|].
    + unfold at_rank; destruct r as [|x r]; cbn; [|lra]; destruct rest as [|y rest]; cbn; [lra|];
      apply Forall_app in G; destruct G as [_ G]; inversion G as [|? ? [? ?]]; lra.
    + rewrite at_rank_app1 by lia; lra.
    + rewrite (at_rank_beyond r i) by assumption; apply at_rank_probability; assumption.
  - unfold ierr, ideal; rewrite (best_of_perm J _ P).
    set (M := fun l => if Forall_dec probability (fun x => ltac:(unfold probability;
    destruct (Rle_dec 0 x), (Rle_dec x 1); (left; lra) || (right; lra))) l then err k l else 0).
    assert (better_first M) as B.
    { intros a x y b L; unfold M; destruct (Forall_dec _ _ (a ++ x :: y :: b)) as [A|A],
      (Forall_dec _ _ (a ++ y :: x :: b)) as [A'|A'].
      - apply err_better_first; assumption.
      - exfalso; apply A'; eapply Permutation_Forall; [|exact A];
        apply Permutation_app_head, perm_swap.
      - exfalso; apply A; eapply Permutation_Forall; [|exact A'];
        apply Permutation_app_head, perm_swap.
      - lra. }
    pose proof (sorting_raises M B [] (r ++ rest) []) as S; cbn in S; rewrite !app_nil_r in S;
    unfold M in S.
    destruct (Forall_dec _ _ (r ++ rest)) as [_|A]; [|contradiction];
    destruct (Forall_dec _ _ (best (r ++ rest))) as [_|A]; [exact S|].
    exfalso; apply A; eapply Permutation_Forall; [apply best_perm|assumption].
Qed.
(** RS-EXP-15/L1: it equals RS-EXP-1 with M = nERR@k *)
Theorem EXP_15_L1 k T J : expectation (fun p => nerr k p J) T = expected_nerr k T J.
Proof. unfold expected_nerr; rewrite <- EXP_14_L1; apply mean_quotient. Qed.

(** * RBP *)

(** RS-CAS-5: (1 - p) (R_1 + R_2 p + ... + R_k p^(k - 1)) *)
Definition rbp k p r := (1 - p) * sum_to (fun i => at_rank r i * p ^ (i - 1))
  (Nat.min k (length r)).
Definition indicator x := x = 0 \/ x = 1.

(** RS-CAS-5/L2: it is DCG@k of the indicators with the discount (1 - p) p^(i - 1) *)
Theorem CAS_5_L2 k p r : rbp k p r = dcg k (fun i => (1 - p) * p ^ (i - 1)) r.
Proof. unfold rbp, dcg; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. Qed.
Lemma rbp_whole k p r : rbp k p r = (1 - p) * whole (fun i => p ^ (i - 1)) (firstn k r).
Proof. unfold rbp; fold (dcg k (fun i => p ^ (i - 1)) r); rewrite dcg_firstn; reflexivity. Qed.
Lemma rbp_cons k p x r : rbp (S k) p (x :: r) = (1 - p) * x + p * rbp k p r.
Proof.
  rewrite !rbp_whole; cbn [firstn]; rewrite whole_cons, (whole_ext (shift 1 _)
  (fun i => p * p ^ (i - 1))), whole_scale_d; [cbn; ring|].
  intros [|i] I; [lia|]; unfold shift; cbn; rewrite Nat.sub_0_r; reflexivity.
Qed.
(** RS-CAS-5/L4: RBP(r) = (1 - p) R_1 + p RBP(r'), r' without the first item *)
Theorem CAS_5_L4 p x r : rbp (length (x :: r)) p (x :: r) = (1 - p) * x + p * rbp (length r) p r.
Proof. apply rbp_cons. Qed.
Fixpoint relevant l := match l with [] => O | x :: l' => if Req_EM_T x 1 then S (relevant l')
  else relevant l' end.
(** RS-CAS-5/L1 in part: with h relevant items among the first k, 0 <= RBP@k <= 1 - p^h < 1 *)
Theorem CAS_5_L1 k p r : 0 < p < 1 -> Forall indicator r -> let h := relevant (firstn k r)
  in 0 <= rbp k p r <= 1 - p ^ h /\ 1 - p ^ h < 1.
Proof.
  intros P F h; split; [|pose proof (pow_lt p h ltac:(lra)); lra]; unfold h; clear h; revert k.
  induction F as [|x r I F IH]; intros [|k]; try (rewrite rbp_whole; unfold whole; cbn; lra).
  rewrite rbp_cons; cbn [firstn relevant]; specialize (IH k);
  pose proof (pow_lt p (relevant (firstn k r)) ltac:(lra)).
  destruct (Req_EM_T x 1) as [->|N]; [cbn [pow]; nra|]; destruct I as [->| ->]; [nra|contradiction].
Qed.
(** RS-CAS-5/L1 in part: ... and 1 - p^h where they are at the first h ranks *)
Theorem CAS_5_L1_attained p h n : rbp (h + n) p (repeat 1 h ++ repeat 0 n) = 1 - p ^ h.
Proof.
  induction h as [|h IH]; cbn [repeat app plus].
  - unfold rbp; rewrite repeat_length, sum_to_zero; [cbn; lra|]; intros;
    rewrite at_rank_repeat by lia; lra.
  - rewrite rbp_cons, IH; cbn; lra.
Qed.
(** RS-CAS-5/L3 in part: a relevant item that moves from rank j up to i < j raises it by (1 - p)
    (p^(i - 1) - p^(j - 1)), j <= k *)
Theorem CAS_5_L3 k p a b c : let i := S (length a) in let j := (S (length a)
  + S (length b))%nat in (j <= k)%nat ->
  rbp k p (a ++ 1 :: b ++ 0 :: c) - rbp k p (a ++ 0 :: b ++ 1 :: c) = (1 - p) * (p ^ (i - 1)
  - p ^ (j - 1)).
Proof.
  intros i j K; rewrite !CAS_5_L2; pose proof (DCG_2_L2 k (fun i => (1 - p) * p ^ (i - 1))
  a 0 b 1 c) as E; cbv zeta in E; rewrite E.
  fold j; fold i; assert (i < j)%nat by (unfold i, j; lia); unfold cut.
  destruct (Nat.leb_spec i k), (Nat.leb_spec j k); try lia; ring.
Qed.
Lemma geometric p s m : sum_to (shift s (fun i => (1 - p) * p ^ (i - 1))) m = p ^ s * (1 - p ^ m).
Proof.
  induction m as [|m IH]; [cbn; ring|]; cbn [sum_to]; rewrite IH; unfold shift;
  replace (s + S m - 1)%nat with (s + m)%nat by lia.
  rewrite pow_add, <- tech_pow_Rmult; ring.
Qed.
(** RS-CAS-5/L5: it does not fall with k; all ranks beyond k together add less than p^k *)
Theorem CAS_5_L5 k m p r : 0 < p < 1 -> Forall indicator r -> rbp k p r <= rbp (k + m)
  p r < rbp k p r + p ^ k.
Proof.
  intros P F; assert (Forall (Rle 0) r) as A by (eapply Forall_impl; [|exact F]; cbn;
  intros x [->| ->]; lra).
  assert (forall i, at_rank r i <= 1) as B.
  { intro i; unfold at_rank; destruct (nth_in_or_default (i - 1) r 0) as [E|E]; [|rewrite E; lra];
    rewrite Forall_forall in F; destruct (F _ E) as [->| ->]; lra. }
  rewrite !CAS_5_L2, !dcg_sum, sum_to_split; set (f := fun i => at_rank r i * ((1 - p)
  * p ^ (i - 1))).
  pose proof (geometric p k m) as G.
  assert (0 <= sum_to (shift k f) m <= p ^ k * (1 - p ^ m)) as [L U].
  { rewrite <- G; split; [apply sum_to_nonneg|apply sum_to_le]; intros i I; unfold shift, f;
    pose proof (pow_lt p (k + i - 1) ltac:(lra));
      pose proof (at_rank_nonneg r (k + i) A); specialize (B (k + i)%nat);
      assert (0 < (1 - p) * p ^ (k + i - 1)) by nra; nra. }
  pose proof (pow_lt p k ltac:(lra)); pose proof (pow_lt p m ltac:(lra)); split; [lra|]; nra.
Qed.

(** RS-EXP-16: (1 - p) times the sum over T of r_T / |T| times p^s + ... + p^(s + m - 1) *)
Definition expected_rbp k p T := expected_dcg k (fun i => (1 - p) * p ^ (i - 1)) 0 T.

(** RS-EXP-16/L1 in part: it equals RS-EXP-1 with M = RBP@k *)
Theorem EXP_16_L1 k p T : expectation (rbp k p) T = expected_rbp k p T.
Proof. unfold expected_rbp; rewrite <- EXP_2_L1; apply expectation_ext; intros; apply CAS_5_L2. Qed.
(** RS-EXP-16/L2: it is the sum over T of r_T / |T| p^s (1 - p^m) *)
Theorem EXP_16_L2 k p s t T : expected_dcg k (fun i => (1 - p) * p ^ (i - 1)) s (t :: T) =
  sum t / INR (length t) * (p ^ s * (1 - p ^ Nat.min (length t) (k - s)))
  + expected_dcg k (fun i => (1 - p) * p ^ (i - 1)) (s + length t) T.
Proof. cbn [expected_dcg]; rewrite geometric; reflexivity. Qed.
(** RS-EXP-16/L3: all tied, with N_p relevant items among n it is N_p / n (1 - p^min(k, n)) *)
Theorem EXP_16_L3 k p t : expectation (rbp k p) [t] = sum t / INR (length t)
  * (1 - p ^ Nat.min k (length t)).
Proof. rewrite EXP_16_L1; unfold expected_rbp; rewrite EXP_16_L2; cbn [expected_dcg];
  rewrite Nat.sub_0_r, Nat.min_comm; cbn [pow]; ring. Qed.

(** * Further laws *)

Lemma err_more k m r : Forall probability r -> (k <= m)%nat -> err k r <= err m r.
Proof.
  intros F; induction 1; [lra|]; destruct (CAS_2_L6 m r 0) as [_ E];
  pose proof (go_on_range r m F); pose proof (at_rank_probability r (S m) F) as [? ?];
  pose proof (rank_pos m).
  assert (0 <= go_on r m * at_rank r (S m) / INR (S m)) by (apply div_nonneg; [nra|assumption]);
  lra.
Qed.
(** RS-CAS-3/L2: adding an item to J never lowers IERR@k *)
Theorem CAS_3_L2 k J x : Forall probability J -> probability x -> ierr k J <= ierr k (x :: J).
Proof.
  intros F P; apply (CAS_3_L1 k (x :: J) (ideal J) [x]); [constructor; assumption|].
  eapply perm_trans; [apply perm_skip, DCG_4_L1|apply Permutation_cons_append].
Qed.
(** RS-CAS-3/L3: it does not fall with k, and is constant from k = |J| on *)
Theorem CAS_3_L3 k m J : Forall probability J -> (k <= m)%nat -> ierr k J <= ierr m J /\
  ierr (length J + k) J = ierr (length J) J.
Proof.
  intros F L; split.
  - apply err_more; [eapply Permutation_Forall; [apply DCG_4_L1|assumption]|assumption].
  - unfold ierr, err; rewrite <- (Permutation_length (DCG_4_L1 J)); f_equal; lia.
Qed.
(** A result that adds nothing may be left out. *)
Lemma err_positive k r : Forall probability r -> err k r <= err k (positive r).
Proof.
  assert (forall a b, Forall probability (a ++ b) -> err k (a ++ b) <= err k (a ++ positive b))
  as X; [|intros F; apply (X [] r F)].
  intros a b; revert a; induction b as [|x b IH]; intros a F; [cbn; lra|].
  assert (Forall probability (a ++ b) /\ probability x) as [G P].
  { apply Forall_app in F; destruct F as [A B]; inversion B; subst; split; [apply Forall_app;
    auto|assumption]. }
  unfold positive in *; cbn [filter]; destruct (Rlt_dec 0 x) as [L|L].
  - specialize (IH (a ++ [x])); rewrite <- !app_assoc in IH; apply IH; assumption.
  - apply Rle_trans with (err k (a ++ b)); [|apply IH; assumption]; destruct P as [P0 _];
    assert (x = 0) as -> by lra; clear IH L P0.
    (* an item of R = 0 sinks to the end *)
    apply Rle_trans with (err k (a ++ b ++ [0])).
    + revert a F G; induction b as [|y b IHb]; intros a F G; [cbn; lra|].
      eapply Rle_trans; [apply err_better_first; [exact F|apply Forall_app in F;
      destruct F as [_ F]; inversion F as [|? ? _ F']; inversion F' as [|? ? [? ?] _];
      assumption]|].
      specialize (IHb (a ++ [y])); rewrite <- !app_assoc in IHb; cbn in IHb |- *; apply IHb;
      [|assumption].
      eapply Permutation_Forall; [|exact F]; apply Permutation_app_head, perm_swap.
    + rewrite app_assoc; apply CAS_2_L5; [apply Forall_app; split; [assumption|repeat constructor;
      unfold probability; lra]|assumption|].
      intro i; destruct (Nat.le_gt_cases i (length (a ++ b))) as [I|I]; [destruct i as [|i]|].
      * unfold at_rank; destruct (a ++ b); cbn; lra.
      * rewrite at_rank_app1 by lia; lra.
      * rewrite (at_rank_beyond (a ++ b)) by assumption;
        replace i with (length (a ++ b) + (i - length (a ++ b)))%nat by lia;
        rewrite at_rank_app2 by lia.
        unfold at_rank; destruct (i - length (a ++ b) - 1)%nat as [|[|]]; cbn; lra.
Qed.
(** RS-CAS-4/L1: 0 <= nERR@k <= 1 where J covers r *)
Theorem CAS_4_L1 k r J : Forall probability r -> Forall probability J -> covers J r ->
  0 <= nerr k r J <= 1.
Proof.
  intros F G (rest & _ & P); apply quotient_range; split; [apply CAS_2_L3; assumption|].
  eapply Rle_trans; [apply err_positive; assumption|apply (CAS_3_L1 k J _ rest); assumption].
Qed.
(** RS-EXP-15/L2 in part: 0 <= E[nERR@k] <= 1 where J covers the list *)
Theorem EXP_15_L2 k T J : Forall probability (concat T) -> Forall probability J ->
  covers J (concat T) -> 0 <= expected_nerr k T J <= 1.
Proof.
  intros F G C; rewrite <- EXP_15_L1; apply mean_between; [apply tied_orders_some|]; intros p P;
  apply tied_orders_are in P.
  apply CAS_4_L1; [eapply Permutation_Forall; eassumption|assumption|eapply covers_perm;
  eassumption].
Qed.
(** RS-EXP-14/L2: all tied, with one R for all, it is ERR@k *)
Theorem EXP_14_L2 k x n : expected_err k 0 1 [repeat x n] = err k (repeat x n).
Proof.
  rewrite <- EXP_14_L1, (expectation_ext _ (fun _ => err k (repeat x n))), expectation_const;
  [reflexivity|].
  intros p I; apply tied_orders_are in I; cbn in I; rewrite app_nil_r in I; apply perm_repeat in I;
  subst; reflexivity.
Qed.
(** RS-CAS-2/L7: with the probabilities 0 and 1 it is RR@k *)
Theorem CAS_2_L7 k l : err k (Precision.gains l) = Q2R (Precision.rr k l).
Proof.
  assert (forall Q s n x r, err_below Q s (S n) (x :: r) = Q * (x / INR (S s))
  + err_below (Q * (1 - x)) (S s) n r) as top.
  { intros Q s n x r; change (x :: r) with ([x] ++ r); rewrite err_below_app; cbn [length];
    rewrite Nat.sub_succ, Nat.sub_0_r, Nat.add_1_r.
    assert (go_on [x] 1 = 1 - x) as G by (unfold at_rank; cbn; ring); rewrite G; f_equal;
    rewrite err_below_more; cbn [length Nat.min].
    unfold err_below; cbn [sum_to]; rewrite Nat.add_1_r, G; cbn [Nat.sub go_on]; unfold Rdiv;
    ring. }
  assert (forall s n, err_below 0 s n (Precision.gains l) = 0) as none by (intros;
  unfold err_below; ring).
  transitivity (err_below 1 0 k (Precision.gains l)); [rewrite CAS_2_L1; unfold err_below;
  rewrite Rmult_1_l; reflexivity|].
  assert (forall Q s n, err_below Q s n [] = 0) as empty by (intros; rewrite err_below_more;
  unfold err_below; cbn; ring).
  assert (forall Q s x, err_below Q s 0 x = 0) as nothing by (intros; unfold err_below; cbn; ring).
  unfold Precision.rr; generalize 0%nat as s; revert k; clear none; induction l as [|[|] l IH];
  intros [|k] s; cbn [Precision.gains map Precision.rr_from];
    rewrite ?empty, ?nothing, ?Precision.Q2R_zero; try reflexivity; rewrite top.
  - rewrite Precision.Q2R_quotient, Precision.Q2R_one, Precision.Q2R_nat; unfold err_below, Rdiv;
    ring.
  - replace (1 * (1 - 0)) with 1 by ring; fold (Precision.gains l); rewrite IH; unfold Rdiv; ring.
Qed.
(** RS-BND-4/L2: ... U(ERR) = nERR *)
Theorem BND_4_L2_err k r J : U (err k r) (iub (err k) J) = nerr k r J.
Proof. reflexivity. Qed.
(** RS-EXP-14/L4: with the probabilities 0 and 1 it is E[RR@k] *)
Theorem EXP_14_L4 k T : expectation (fun p => Q2R (Precision.rr k p))
  T = expected_err k 0 1 (map Precision.gains T).
Proof.
  rewrite <- EXP_14_L1, <- (Precision.expectation_map (fun b : bool => if b then 1 else 0));
  apply expectation_ext; intros; symmetry; apply CAS_2_L7.
Qed.
