(* Other measures adjusted for length: spec/length.md.  LERR takes the probabilities to stop, LAP
  and
  LRBP the relevance indicators, LGAP the labels. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Qreals.
From Rankspec Require Import Numbers Gain Ties Dcg Length LengthIdeals Cascade.
From Rankspec Require Precision.
Import ListNotations.
Open Scope R_scope.

(** RS-LEN-12: E@M(r) / (Z (w(1) E(1) + ... + w(N) E(N))), N = min(n, M), and 0 where the sum is 0;
    E(i), the value of one item at rank i *)
Definition adjusted {A} z M (E : nat -> list A -> R) (one w : nat -> R) r :=
  quotient (E M r) (z * S_of w one (Nat.min (length r) M)).

(** RS-LEN-13: LERR, with the least probability to stop that is above 0 *)
Definition lerr z M w least r := adjusted z M err (fun i => least / INR i) w r.
(** RS-LEN-14: LAP, of SP *)
Definition sp M l := Q2R (Precision.sp M l).
Definition lap z M w l := adjusted z M sp (fun i => 1 / INR i) w l.
(** RS-LEN-15: LRBP *)
Definition lrbp z M p w r := adjusted z M (fun M => rbp M p) (fun i => (1 - p) * p ^ (i - 1)) w r.
(** RS-LEN-16: LGAP, with the first of the q_j that is above 0 *)
Definition gsp q M r := Q2R (Precision.gsp q M r).
Fixpoint first_positive (q : list QArith_base.Q) : R :=
  match q with [] => 0 | x :: q' => if Rlt_dec 0 (Q2R x) then Q2R x else first_positive q' end.
Definition lgap z M q w r := adjusted z M (gsp q) (fun i => first_positive q / INR i) w r.

(** RS-LEN-12/L1: of DCG, with rel = 1, it is LDCG *)
Theorem LEN_12_L1 z M d w r : adjusted z M (fun M => dcg M d) (dcg_of_one 1 d) w r = ldcg z M d w r.
Proof.
  unfold adjusted, ldcg; do 2 f_equal; apply sum_to_ext; intros; unfold dcg_of_one; rewrite exp2_1.
  ring.
Qed.

(** * What all have in common *)

Lemma S_of_one_pos one w n : nonneg w -> 0 < w 1%nat -> positive_to_end one -> (1 <= n)%nat ->
  0 < S_of w one n.
Proof. intros W W1 P N; apply S_of_pos; auto; intros i I; apply Rlt_le, P; assumption. Qed.
Lemma adjusted_z {A} z M (E : nat -> list A -> R) one w r : 0 < z ->
  adjusted z M E one w r = / z * adjusted 1 M E one w r.
Proof.
  intros P; unfold adjusted, quotient; rewrite Rmult_1_l; set (s := S_of _ _ _).
  destruct (Rlt_dec 0 (z * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring].
Qed.
(** RS-LEN-3/L3: ... of LERR, LAP, LRBP and LGAP neither *)
Theorem LEN_3_L3_adjusted {A} z M (E : nat -> list A -> R) one w r s : 0 < z ->
  let v z := adjusted z M E one w in
  (v z r < v z s <-> v 1 r < v 1 s) /\ (0 < v 1 s -> v z r / v z s = v 1 r / v 1 s).
Proof.
  intros P v; unfold v; rewrite !(adjusted_z z) by assumption.
  assert (0 < / z) by (apply Rinv_0_lt_compat; assumption); split; [split; intros; nra|].
  intros; field; lra.
Qed.
(** Z is one factor of all values. *)
Lemma adjusted_Z {A} M (E : nat -> list A -> R) one w r : 0 < sum_to w M ->
  adjusted (Z M 1 w) M E one w r = adjusted 1 M E one w r * sum_to w M.
Proof.
  intros P; assert (Z M 1 w = / sum_to w M) as X.
  { unfold Z, quotient; rewrite exp2_1; destruct (Rlt_dec _ _); [field; lra|contradiction]. }
  rewrite adjusted_z, X by (rewrite X; apply Rinv_0_lt_compat; assumption); field; lra.
Qed.
(** Lists of one length have the value in proportion to E. *)
Lemma adjusted_one_length {A} z M (E : nat -> list A -> R) one w N : exists c,
  (0 < z * S_of w one N -> 0 < c) /\
  forall r, Nat.min (length r) M = N -> adjusted z M E one w r = c * E M r.
Proof.
  unfold adjusted, quotient; destruct (Rlt_dec 0 (z * S_of w one N)) as [P|P].
  - exists (/ (z * S_of w one N)); split; [intros; apply Rinv_0_lt_compat; assumption|].
    intros r ->; destruct (Rlt_dec _ _); [unfold Rdiv; ring|contradiction].
  - exists 0; split; [intros; contradiction|]; intros r ->; destruct (Rlt_dec _ _);
    [contradiction|ring].
Qed.
(** A result that adds nothing to E *)
Lemma adjusted_one_more {A} M (E : nat -> list A -> R) one w r x : nonneg w -> 0 < w 1%nat ->
  positive_to_end one -> 0 <= E M r -> (r = [] -> E M r = 0) -> E M (r ++ [x]) = E M r ->
  let v := adjusted 1 M E one w in
  v (r ++ [x]) <= v r /\
  (v (r ++ [x]) < v r <-> (length r < M)%nat /\ 0 < E M r /\ 0 < w (S (length r))).
Proof.
  intros W W1 P E0 N X v; unfold v, adjusted; rewrite app_length, X; cbn [length]; clear v.
  destruct (Nat.le_gt_cases M (length r)) as [L|L].
  { rewrite !Nat.min_r by lia; split; [lra|]; split; [intros; lra|intros []; lia]. }
  rewrite !Nat.min_l by lia; destruct r as [|y r].
  { specialize (N eq_refl); rewrite N; unfold quotient; do 2 destruct (Rlt_dec _ _); unfold Rdiv;
    (split; [|split; [intros Y|intros (_ & Y & _)]]); lra. }
  rewrite Nat.add_1_r; set (n := length (y :: r)) in *; set (e := E M (y :: r)) in *.
  pose proof (S_of_one_pos one w n W W1 P ltac:(unfold n; cbn; lia)) as S1.
  pose proof (P (S n) ltac:(lia)) as P1; pose proof (W (S n) ltac:(lia)) as P2.
  assert (S_of w one (S n) = S_of w one n + w (S n) * one (S n)) as -> by reflexivity.
  set (s := S_of w one n) in *; set (t := w (S n) * one (S n)).
  assert (0 <= t) by (apply Rmult_le_pos; lra); rewrite !Rmult_1_l; unfold quotient.
  destruct (Rlt_dec 0 (s + t)), (Rlt_dec 0 s); try (exfalso; lra).
  assert (e / s - e / (s + t) = e * t / (s * (s + t))) as D by (field; lra).
  assert (0 < s * (s + t)) by nra; split; [|split].
  - enough (0 <= e * t / (s * (s + t))) by lra; apply div_nonneg; nra.
  - intros Y; assert (0 < e * t / (s * (s + t))) as Y' by lra; apply lt_div in Y'; [|assumption].
    assert (0 < e * t) by lra; assert (0 < e) by nra; assert (0 < t) as T by nra.
    unfold t in T; split; [assumption|]; split; [assumption|]; clear - T P1 P2; nra.
  - intros (_ & Y1 & Y2); assert (0 < e * t) by
      (unfold t; repeat apply Rmult_lt_0_compat; assumption).
    enough (0 < e * t / (s * (s + t))) by lra; apply Rdiv_lt_0_compat; assumption.
Qed.
(** One result against two *)
Lemma adjusted_one_two {A} z M (E : nat -> list A -> R) one w a b : (2 <= M)%nat -> 0 < z ->
  0 < w 1%nat -> 0 <= w 2%nat -> 0 < one 1%nat -> 0 <= one 2%nat ->
  let v := adjusted z M E one w in let s := w 1%nat * one 1%nat + w 2%nat * one 2%nat in
  (v [a; b] < v [a] <-> E M [a; b] * (w 1%nat * one 1%nat) < E M [a] * s) /\
  (v [a] < v [a; b] <-> E M [a] * s < E M [a; b] * (w 1%nat * one 1%nat)).
Proof.
  intros HM P W1 W2 O1 O2 v s; unfold v; rewrite !(adjusted_z z) by assumption.
  unfold adjusted, S_of; cbn [length]; rewrite !Nat.min_l by lia; cbn [sum_to]; fold s.
  rewrite !Rmult_1_l, !Rplus_0_l; set (t := w 1%nat * one 1%nat) in *; fold s.
  assert (0 < t) by (apply Rmult_lt_0_compat; assumption).
  assert (0 < s) by (unfold s; assert (0 <= w 2%nat * one 2%nat) by nra; lra).
  assert (0 < / z) by (apply Rinv_0_lt_compat; assumption); unfold quotient.
  destruct (Rlt_dec 0 t), (Rlt_dec 0 s); try contradiction.
  set (e := E M [a]); set (f := E M [a; b]).
  assert (forall x y, / z * x < / z * y <-> x < y) as C by (intros; split; intros; nra).
  rewrite !C; split; rewrite div_lt by assumption.
  - replace (e / t * s) with (e * s / t) by (field; lra); apply lt_div; assumption.
  - replace (f / s * t) with (f * t / s) by (field; lra); apply lt_div; assumption.
Qed.
(** All orders have the same number of results. *)
Lemma expected_adjusted {A} z M (E : nat -> list A -> R) one w T :
  expectation (adjusted z M E one w) T =
  quotient (expectation (E M) T) (z * S_of w one (Nat.min (length (concat T)) M)).
Proof.
  unfold expectation; rewrite <- mean_quotient; apply expectation_ext; intros p P.
  apply tied_orders_are, Permutation_length in P; unfold adjusted; rewrite P; reflexivity.
Qed.

(** * Expectations *)

(** RS-EXP-29: the expectation of ERR, SP, RBP or GSP over Z (w(1) E(1) + ... + w(N) E(N)) *)
Definition expected_adjusted_value {A} e z M (one w : nat -> R) (T : list (list A)) :=
  quotient e (z * S_of w one (Nat.min (length (concat T)) M)).
(** RS-EXP-29/L1: it equals RS-EXP-1 with LERR ... *)
Theorem EXP_29_L1_lerr z M w least T : expectation (lerr z M w least) T =
  expected_adjusted_value (expected_err M 0 1 T) z M (fun i => least / INR i) w T.
Proof. unfold lerr; rewrite expected_adjusted, EXP_14_L1; reflexivity. Qed.
(** RS-EXP-29/L1: ... with LAP ... *)
Theorem EXP_29_L1_lap z M w T : expectation (lap z M w) T =
  expected_adjusted_value (Q2R (Precision.expected_sp M 0 0 T)) z M (fun i => 1 / INR i) w T.
Proof. unfold lap, sp; rewrite expected_adjusted, Precision.EXP_9_L1; reflexivity. Qed.
(** RS-EXP-29/L1: ... with LRBP ... *)
Theorem EXP_29_L1_lrbp z M p w T : expectation (lrbp z M p w) T =
  expected_adjusted_value (expected_rbp M p T) z M (fun i => (1 - p) * p ^ (i - 1)) w T.
Proof. unfold lrbp; rewrite expected_adjusted, EXP_16_L1; reflexivity. Qed.
(** RS-EXP-29/L1: ... and with LGAP *)
Theorem EXP_29_L1_lgap z M q w T : expectation (lgap z M q w) T =
  expected_adjusted_value (Q2R (Precision.expected_gsp q M T)) z M
    (fun i => first_positive q / INR i) w T.
Proof. unfold lgap, gsp; rewrite expected_adjusted, Precision.EXP_17_L1; reflexivity. Qed.

(** * The constraints *)

(** M >= 2, and weights that do not rise; lambda = w(2)/w(1) *)
Definition weighted z M (w : nat -> R) :=
  (2 <= M)%nat /\ 0 < z /\ 0 < w 1%nat /\ 0 <= w 2%nat <= w 1%nat.

Lemma C1_is (E : list R -> R) a b : b < a -> (C1 E a a b <-> E [a; b] < E [a]).
Proof. intros L; unfold C1; split; [intros H; apply H; auto|intros H _ _; exact H]. Qed.
Lemma C2_is (E : list R -> R) a : 0 < a -> (C2 E a a a <-> E [a] < E [a; a]).
Proof. intros L; unfold C2; split; [intros H; apply H; auto|intros H _ _ _; exact H]. Qed.
Lemma err_of_one M x : (1 <= M)%nat -> err M [x] = x.
Proof. intros H; unfold err; cbn [length]; rewrite Nat.min_r by lia; unfold at_rank; cbn. field.
  Qed.
Lemma err_of_two M x y : (2 <= M)%nat -> err M [x; y] = x + (1 - x) * y / 2.
Proof. intros H; unfold err; cbn [length]; rewrite Nat.min_r by lia; unfold at_rank; cbn. field.
  Qed.

Lemma lerr_one_two z M w least x y : weighted z M w -> 0 < least ->
  (lerr z M w least [x; y] < lerr z M w least [x] <-> (1 - x) * y < x * (w 2%nat / w 1%nat)) /\
  (lerr z M w least [x] < lerr z M w least [x; y] <-> x * (w 2%nat / w 1%nat) < (1 - x) * y).
Proof.
  intros (HM & Z & W1 & W2) L; destruct (adjusted_one_two z M err (fun i => least / INR i) w x y)
    as [A B]; try lia; try tauto; try (cbn; lra).
  unfold lerr; rewrite A, B, err_of_one, err_of_two by lia; cbn [INR].
  replace (x * (w 2%nat / w 1%nat)) with (x * w 2%nat / w 1%nat) by (field; lra).
  rewrite lt_div, div_lt by assumption.
  assert (x * (w 1%nat * (least / 1) + w 2%nat * (least / (1 + 1))) -
    (x + (1 - x) * y / 2) * (w 1%nat * (least / 1)) =
    least / 2 * (x * w 2%nat - (1 - x) * y * w 1%nat)) as D by field.
  split; split; intros; nra.
Qed.
(** RS-LEN-12/L2: LERR satisfies C1 for a > b if and only if R(a) lambda > (1 - R(a)) R(b) ... *)
Theorem LEN_12_L2 z M w least R a b : weighted z M w -> 0 < least -> b < a ->
  (C1 (fun r => lerr z M w least (map R r)) a a b <->
   (1 - R a) * R b < R a * (w 2%nat / w 1%nat)).
Proof. intros H L AB; rewrite C1_is by assumption; apply lerr_one_two; assumption. Qed.
(** RS-LEN-12/L2: ... and C2 for a if and only if R(a) > 0 and lambda < 1 - R(a) *)
Theorem LEN_12_L2_C2 z M w least R a : weighted z M w -> 0 < least -> 0 < a -> 0 <= R a ->
  (C2 (fun r => lerr z M w least (map R r)) a a a <-> 0 < R a /\ w 2%nat / w 1%nat < 1 - R a).
Proof.
  intros H L A P; rewrite C2_is by assumption; cbn [map]; rewrite (proj2 (lerr_one_two _ _ _ _ _ _ H
    L)).
  set (x := w 2%nat / w 1%nat); split; [|intros []; nra]; intros Y.
  destruct (Req_dec (R a) 0) as [E|E]; [rewrite E in Y; lra|]; split; nra.
Qed.
(** R(x) = (2^x - 1) / 2^max of a label x *)
Definition stops (most : nat) x := exp2 x / 2 ^ most.
Lemma stops_is_stop most g : stops most (INR g) = stop most g.
Proof. unfold stops, stop, exp2; rewrite Rpower_pow by lra; reflexivity. Qed.
Lemma zipf_weighted z M : (2 <= M)%nat -> 0 < z -> weighted z M d_zipf /\
  d_zipf 2 / d_zipf 1 = 1 / 2.
Proof. intros; unfold weighted, d_zipf; cbn [INR]; repeat split; try lra; lia. Qed.
(** RS-LEN-12/L3: with lambda = 1/2 LERR satisfies C1 for all integer labels, and C2 for all but the
    highest ... *)
Theorem LEN_12_L3 z M w least most : weighted z M w -> w 2%nat / w 1%nat = 1 / 2 -> 0 < least ->
  let E := fun r => lerr z M w least (map (stops most) r) in
  (forall a b, (b < a <= most)%nat -> C1 E (INR a) (INR a) (INR b)) /\
  (forall a, (1 <= a < most)%nat -> C2 E (INR a) (INR a) (INR a)) /\
  ((1 <= most)%nat -> ~ C2 E (INR most) (INR most) (INR most)).
Proof.
  intros W W2 L E.
  assert (forall n, 1 <= 2 ^ n) as P1 by (intros; apply pow_R1_Rle; lra).
  assert (forall a b, (b <= a)%nat -> 2 ^ b <= 2 ^ a) as UP by (intros; apply Rle_pow; [lra|lia]).
  assert (forall a, 2 ^ S a = 2 * 2 ^ a) as DB by reflexivity.
  repeat split.
  - intros a b I; apply LEN_12_L2; [assumption..|apply lt_INR; lia|]; rewrite W2, !stops_is_stop.
    unfold stop; destruct a as [|a]; [lia|]; rewrite DB; set (T := 2 ^ most).
    pose proof (UP a b ltac:(lia)); pose proof (UP most (S a) ltac:(lia)) as U; rewrite DB in U.
    fold T in U; pose proof (P1 a); pose proof (P1 b); set (A := 2 ^ a) in *; set (B := 2 ^ b) in *.
    replace ((1 - (2 * A - 1) / T) * ((B - 1) / T)) with ((T - (2 * A - 1)) * (B - 1) / (T * T))
      by (field; lra).
    replace ((2 * A - 1) / T * (1 / 2)) with ((2 * A - 1) * T / 2 / (T * T)) by (field; lra).
    apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; nra|].
    apply Rle_lt_trans with ((T - (2 * A - 1)) * (A - 1)); [apply Rmult_le_compat_l|]; nra.
  - intros a I; apply LEN_12_L2_C2; [assumption..|apply lt_0_INR; lia| |]; rewrite ?W2,
    stops_is_stop;
    unfold stop; pose proof (P1 a); pose proof (P1 most); [apply div_nonneg; lra|].
    pose proof (UP a 1%nat ltac:(lia)) as U1; pose proof (UP most (S a) ltac:(lia)) as U.
    rewrite DB in U; cbn in U1; split; [apply Rdiv_lt_0_compat; lra|].
    enough ((2 ^ a - 1) / 2 ^ most < 1 / 2) by lra; apply div_lt; lra.
  - intros I; unfold E; rewrite LEN_12_L2_C2; try assumption; [|apply lt_0_INR; lia|];
    rewrite ?W2, stops_is_stop; unfold stop; pose proof (P1 most);
    pose proof (UP most 1%nat ltac:(lia)) as U; cbn in U; [|apply div_nonneg; lra].
    intros [_ Y]; assert ((2 ^ most - 1) / 2 ^ most < 1 / 2) as X by lra.
    apply (proj1 (div_lt _ _ _ (Rlt_le_trans _ _ _ Rlt_0_1 (P1 most)))) in X; lra.
Qed.
(** RS-LEN-12/L3: ... as by its own discount, and the highest label has R >= 1/2 *)
Theorem LEN_12_L3_own z M most : (2 <= M)%nat -> 0 < z ->
  weighted z M d_zipf /\ d_zipf 2 / d_zipf 1 = 1 / 2 /\
  ((1 <= most)%nat -> 1 / 2 <= stops most (INR most)).
Proof.
  intros HM P; destruct (zipf_weighted z M HM P) as [W W2]; repeat split; try apply W; auto.
  intros I; rewrite stops_is_stop; unfold stop; assert (2 ^ 1 <= 2 ^ most) as U by
    (apply Rle_pow; [lra|lia]); cbn [pow] in U; apply le_div; lra.
Qed.
(** RS-LEN-12/L4: from g_max = 3 on, no prior gives LERR both properties: C1 for the labels 2 and 1
    excludes C2 for g_max *)
Theorem LEN_12_L4 z M w least most : weighted z M w -> 0 < least -> (3 <= most)%nat ->
  let E := fun r => lerr z M w least (map (stops most) r) in
  ~ (C1 E (INR 2) (INR 2) (INR 1) /\ C2 E (INR most) (INR most) (INR most)).
Proof.
  intros H L HM E [A B]; unfold E in A, B; rewrite LEN_12_L2 in A by
    (assumption || apply lt_INR; lia).
  assert (1 <= 2 ^ most) by (apply pow_R1_Rle; lra).
  assert (2 ^ 3 <= 2 ^ most) as T by (apply Rle_pow; [lra|lia]).
  rewrite LEN_12_L2_C2 in B; try assumption; [|apply lt_0_INR; lia|rewrite stops_is_stop;
    apply div_nonneg; lra].
  destruct B as [_ B]; rewrite !stops_is_stop in *; unfold stop in *; set (x := w 2%nat / w 1%nat)
    in *.
  set (t := 2 ^ most) in *; cbn [pow] in *.
  assert (x < / t) as B' by (replace (/ t) with (1 - (t - 1) / t) by (field; lra); exact B).
  replace (2 * (2 * 1) - 1) with 3 in A by ring; replace (2 * 1 - 1) with 1 in A by ring.
  assert (1 - 3 / t < 3 * x) as A2.
  { apply (Rmult_lt_reg_r (1 / t)); [apply Rdiv_lt_0_compat; lra|].
    replace (3 * x * (1 / t)) with (3 / t * x) by (field; lra); exact A. }
  assert (/ t <= / 8) by (apply Rinv_le_contravar; lra); unfold Rdiv in A2; lra.
Qed.

Lemma Q2R_sp_real M l : sp M l =
  sum_to (fun i => cg i (Precision.gains l) / INR i * at_rank (Precision.gains l) i) M.
Proof. apply Precision.Q2R_sp. Qed.
Lemma sp_of_one M a : (1 <= M)%nat -> sp M [a] = if a then 1 else 0.
Proof.
  intros H; unfold sp, Precision.sp; cbn [length]; rewrite Nat.min_r by lia.
  destruct a; cbv -[Q2R]; unfold Q2R; cbn; lra.
Qed.
Lemma sp_of_two M a b : (2 <= M)%nat -> sp M [a; b] =
  match a, b with true, true => 2 | true, false => 1 | false, true => 1 / 2 | _, _ => 0 end.
Proof.
  intros H; unfold sp, Precision.sp; cbn [length]; rewrite Nat.min_r by lia.
  destruct a, b; cbv -[Q2R]; unfold Q2R; cbn; lra.
Qed.
(** RS-LEN-12/L5: LAP satisfies C1 for a relevant item and a non-relevant one if and only if lambda
    > 0, and never for two relevant labels; C2 holds for each relevant label, by every prior *)
Theorem LEN_12_L5 z M w relevant a b : weighted z M w -> b < a -> relevant a = true ->
  let E := fun r => lap z M w (map relevant r) in
  (relevant b = false -> (C1 E a a b <-> 0 < w 2%nat / w 1%nat)) /\
  (relevant b = true -> ~ C1 E a a b) /\ (0 < a -> C2 E a a a).
Proof.
  intros (HM & Z & W1 & W2) L A E; rewrite C1_is by assumption.
  assert (forall b, let v := lap z M w in let s := w 1%nat + w 2%nat / 2 in
    (v [true; b] < v [true] <-> sp M [true; b] * w 1%nat < s) /\
    (v [true] < v [true; b] <-> s < sp M [true; b] * w 1%nat)) as X.
  { intros c v s; destruct (adjusted_one_two z M sp (fun i => 1 / INR i) w true c)
      as [X Y]; try lia; try tauto; try (cbn; lra).
    unfold v, lap; rewrite X, Y, sp_of_one by lia; cbn [INR]; unfold s.
    replace (w 1%nat * (1 / 1)) with (w 1%nat) by field.
    split; split; intros; lra. }
  unfold E; cbn [map]; rewrite A; repeat split.
  - intros Y; rewrite H in Y; apply X in Y; rewrite sp_of_two in Y by lia.
    apply Rdiv_lt_0_compat; lra.
  - intros Y; rewrite H; apply X; rewrite sp_of_two by lia; apply lt_div in Y; lra.
  - intros B Y; rewrite B in Y; apply X in Y; rewrite sp_of_two in Y by lia; lra.
  - intros P; apply C2_is; [assumption|]; cbn [map]; rewrite A; apply X; rewrite sp_of_two by lia.
    lra.
Qed.
Definition indicators (relevant : R -> bool) r := map (fun x => if relevant x then 1 else 0) r.
(** RS-LEN-12/L6: LRBP satisfies C1 for a relevant item and a non-relevant one if and only if lambda
    > 0 and p > 0, and C2 for a relevant label if and only if lambda < 1 and p > 0 ... *)
Theorem LEN_12_L6 z M p w relevant a b : weighted z M w -> 0 <= p < 1 -> b < a ->
  relevant a = true -> let E := fun r => lrbp z M p w (indicators relevant r) in
  (relevant b = false -> (C1 E a a b <-> 0 < w 2%nat / w 1%nat /\ 0 < p)) /\
  (0 < a -> (C2 E a a a <-> w 2%nat / w 1%nat < 1 /\ 0 < p)).
Proof.
  intros (HM & Z & W1 & W2) P L A E; rewrite C1_is by assumption.
  assert (forall x y, rbp M p [x] = (1 - p) * x /\ rbp M p [x; y] = (1 - p) * (x + p * y)) as V.
  { intros x y; destruct M as [|[|M]]; [lia..|]; rewrite !rbp_cons; unfold rbp; cbn [length].
    rewrite !Nat.min_0_r; cbn [sum_to]; split; ring. }
  assert (forall y, let v := lrbp z M p w in
    (v [1; y] < v [1] <-> p * y * w 1%nat < p * w 2%nat) /\
    (v [1] < v [1; y] <-> p * w 2%nat < p * y * w 1%nat)) as X.
  { intros y v; destruct (adjusted_one_two z M (fun M => rbp M p) (fun i => (1 - p) * p ^ (i - 1))
      w 1 y) as [X Y]; try lia; try tauto; try (cbn; nra).
    unfold v, lrbp; rewrite X, Y; destruct (V 1 y) as [-> ->]; cbn [Nat.sub pow].
    assert ((1 - p) * 1 * (w 1%nat * ((1 - p) * 1) + w 2%nat * ((1 - p) * (p * 1))) -
      (1 - p) * (1 + p * y) * (w 1%nat * ((1 - p) * 1)) =
      (1 - p) * (1 - p) * (p * w 2%nat - p * y * w 1%nat)) as D by ring.
    assert (0 < (1 - p) * (1 - p)) by nra; set (q := (1 - p) * (1 - p)) in *.
    split; split; intros; nra. }
  unfold E; cbn [indicators map]; rewrite A; split.
  - intros B; rewrite B, (proj1 (X 0)), Rmult_0_r, Rmult_0_l, lt_div, Rmult_0_l by assumption.
    split; [|intros []; nra]; intros Y; split; nra.
  - intros Q; rewrite C2_is by assumption; cbn [indicators map]; rewrite A, (proj2 (X 1)).
    rewrite div_lt by assumption; split; [|intros []; nra]; intros Y.
    assert (0 < p) by (destruct (Req_dec p 0) as [->|]; lra); split; nra.
Qed.
(** RS-LEN-12/L6: ... so by LRBP's own discount if 0 < p < 1 *)
Theorem LEN_12_L6_own z M p relevant a : (2 <= M)%nat -> 0 < z -> 0 < p < 1 -> 0 < a ->
  relevant a = true ->
  C2 (fun r => lrbp z M p (fun i => p ^ (i - 1)) (indicators relevant r)) a a a.
Proof.
  intros HM Z P A0 A; apply (LEN_12_L6 z M p _ relevant a (a - 1)); auto; try lra.
  - unfold weighted; cbn; repeat split; lra || lia.
  - cbn; split; lra.
Qed.

(** pi(x), a real number *)
Definition pi q x := Q2R (Precision.pi q x).
Lemma Q2R_gsp q M r : gsp q M r = sum_to (fun i => sum_to (fun h =>
  pi q (Qminmax.Qmin (Precision.label r h) (Precision.label r i))) i / INR i) (Nat.min M (length
    r)).
Proof.
  unfold gsp, Precision.gsp; rewrite Precision.Q2R_sum; apply sum_to_ext; intros i I.
  rewrite Precision.Q2R_quotient, Precision.Q2R_sum, Precision.Q2R_nat; reflexivity.
Qed.
Lemma min_of_same q x y : QArith_base.Qle x y ->
  pi q (Qminmax.Qmin x y) = pi q x /\ pi q (Qminmax.Qmin y x) = pi q x.
Proof.
  assert (forall a b, QArith_base.Qeq a b -> pi q a = pi q b) as C.
  { intros a b E; unfold pi; apply Qeq_eqR; unfold Precision.pi; apply Precision.sum_Q_ext; intros j
    _.
    assert (forall c, QArith_base.Qle_bool c a = QArith_base.Qle_bool c b) as ->; [|reflexivity].
    intros c; apply Bool.eq_true_iff_eq; rewrite !QArith_base.Qle_bool_iff.
    split; intros X; eapply QArith_base.Qle_trans; [exact X| |exact X|]; apply QArith_base.Qle_lteq;
    right; [exact E|apply QArith_base.Qeq_sym; exact E]. }
  intros L; split; apply C; [apply Qminmax.Q.min_l|apply Qminmax.Q.min_r]; exact L.
Qed.
Lemma gsp_of_one q M x : (1 <= M)%nat -> gsp q M [x] = pi q x.
Proof.
  intros H; rewrite Q2R_gsp; cbn [length]; rewrite Nat.min_r by lia; cbn.
  unfold Precision.label; cbn [Nat.sub nth]; rewrite (proj1 (min_of_same q x x (QArith_base.Qle_refl
    x))).
  field.
Qed.
Lemma gsp_of_two q M x y : (2 <= M)%nat -> QArith_base.Qle y x -> gsp q M [x; y] = pi q x + pi q y.
Proof.
  intros H L; rewrite Q2R_gsp; cbn [length]; rewrite Nat.min_r by lia; cbn.
  unfold Precision.label; cbn [Nat.sub nth]; rewrite (proj1 (min_of_same q x x (QArith_base.Qle_refl
    x))),
  (proj1 (min_of_same q y y (QArith_base.Qle_refl y))), (proj2 (min_of_same q y x L)); field.
Qed.
Definition some_positive q := 0 < first_positive q.
Lemma lgap_one_two z M q w x y : weighted z M w -> some_positive q -> QArith_base.Qle y x ->
  (lgap z M q w [x; y] < lgap z M q w [x] <-> 2 * pi q y < pi q x * (w 2%nat / w 1%nat)) /\
  (lgap z M q w [x] < lgap z M q w [x; y] <-> pi q x * (w 2%nat / w 1%nat) < 2 * pi q y).
Proof.
  intros (HM & Z & W1 & W2) P L; unfold some_positive in P.
  destruct (adjusted_one_two z M (gsp q) (fun i => first_positive q / INR i) w x y)
    as [A B]; try lia; try tauto; try (cbn; lra).
  unfold lgap; rewrite A, B, gsp_of_one, gsp_of_two by (assumption || lia); cbn [INR].
  replace (pi q x * (w 2%nat / w 1%nat)) with (pi q x * w 2%nat / w 1%nat) by (field; lra).
  rewrite lt_div, div_lt by assumption; set (f := first_positive q) in *.
  assert (pi q x * (w 1%nat * (f / 1) + w 2%nat * (f / (1 + 1))) -
    (pi q x + pi q y) * (w 1%nat * (f / 1)) =
    f / 2 * (pi q x * w 2%nat - 2 * pi q y * w 1%nat)) as D by field.
  split; split; intros; nra.
Qed.
(** RS-LEN-12/L7: LGAP satisfies C1 for the labels a > b if and only if pi(a) lambda > 2 pi(b), by
    its own discount if and only if pi(a) > 4 pi(b); l(x), the label x as a fraction ... *)
Theorem LEN_12_L7 z M q w (l : R -> QArith_base.Q) a b : weighted z M w -> some_positive q ->
  b < a -> QArith_base.Qle (l b) (l a) ->
  (C1 (fun r => lgap z M q w (map l r)) a a b <->
   2 * pi q (l b) < pi q (l a) * (w 2%nat / w 1%nat)) /\
  (C1 (fun r => lgap z M q d_zipf (map l r)) a a b <-> 4 * pi q (l b) < pi q (l a)).
Proof.
  intros H P L LQ; rewrite !C1_is by assumption; cbn [map]; split.
  - apply lgap_one_two; assumption.
  - destruct H as (HM & Z & _); destruct (zipf_weighted z M HM Z) as [W W2].
    rewrite (proj1 (lgap_one_two z M q d_zipf _ _ W P LQ)), W2; split; lra.
Qed.
(** RS-LEN-12/L7: ... and C2 for a if and only if pi(a) > 0, by every prior *)
Theorem LEN_12_L7_C2 z M q w (l : R -> QArith_base.Q) a : weighted z M w -> some_positive q ->
  0 < a -> (C2 (fun r => lgap z M q w (map l r)) a a a <-> 0 < pi q (l a)).
Proof.
  intros H P A; rewrite C2_is by assumption; cbn [map].
  rewrite (proj2 (lgap_one_two z M q w _ _ H P (QArith_base.Qle_refl _))).
  destruct H as (_ & _ & W1 & W2); assert (0 <= w 2%nat / w 1%nat <= 1) as X by
    (split; [apply div_nonneg|apply div_le]; lra).
  split; intros; nra.
Qed.
