(* Numbers: what the laws of spec/length.md say of integer labels and the default discount, and one
  law of spec/gain.md. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz ZArith.
From Interval Require Import Specific_ops Specific_stdz.
From Interval Require Tactic.
From Rankspec Require Import Numbers Gain Ties Dcg Length LengthIdeals.
Import ListNotations.
Open Scope R_scope.

(** Enclosures of whole numbers alone: coq-interval's own would assume what Coq assumes of those of
    63 bits, and of doubles. *)
Module Floats := SpecificFloat StdZRadix2.
Module Enclosures := Tactic.IntervalTactic Floats.
Import Enclosures.
Ltac enclose := interval with (Tactic.i_prec 40).

(** * Integer labels and the defaults *)

(** d(1), d(2), ..., d(67) in units of 2^-24, less one at most *)
Definition discounts : list Z.t :=
  [16777215; 10585244; 8388607; 7225553; 6490313; 5976164; 5592404; 5292622; 5050445; 4849703;
   4679886; 4533843; 4406527; 4294263; 4194303; 4104554; 4023385; 3949506; 3881882; 3819672;
   3762187; 3708850; 3659182; 3612776; 3569286; 3528414; 3489905; 3453536; 3419113; 3386465;
   3355442; 3325913; 3297756; 3270869; 3245156; 3220532; 3196922; 3174255; 3152469; 3131507;
   3111318; 3091853; 3073070; 3054928; 3037390; 3020424; 3003997; 2988082; 2972651; 2957679;
   2943144; 2929023; 2915298; 2901949; 2888959; 2876312; 2863992; 2851986; 2840278; 2828858;
   2817712; 2806831; 2796202; 2785817; 2775665; 2765738; 2756027]%Z.
Fixpoint as_discounts (i : Z.t) (l : list Z.t) : Prop :=
  match l with
  | [] => True
  | x :: l' => Rabs (16777216 * (ln 2 / ln (IZR i)) - (IZR x + 1)) <= 1 /\
      as_discounts (Z.succ i) l'
  end.
Lemma discounts_right : as_discounts 2 discounts.
Proof. cbn [as_discounts discounts Z.succ Z.add Pos.add Pos.succ]; repeat split; enclose. Qed.

Definition lower (i : nat) : Z.t := nth (i - 1) discounts 0%Z.
Lemma lower_right i : (1 <= i <= 67)%nat ->
  IZR (lower i) <= 16777216 * d_log 2 i <= IZR (lower i) + 2.
Proof.
  assert (forall l n j, as_discounts n l -> (j < length l)%nat ->
    IZR (nth j l 0%Z) <= 16777216 * (ln 2 / ln (IZR (n + Z.of_nat j))) <= IZR (nth j l 0%Z) + 2) as
      X.
  { induction l as [|x l IH]; intros n j H J; [cbn in J; lia|]; destruct H as [A B]; destruct j as
    [|j]; cbn [nth].
    - rewrite Z.add_0_r; revert A; unfold Rabs; destruct (Rcase_abs _); lra.
    - replace (n + Z.of_nat (S j))%Z with (Z.succ n + Z.of_nat j)%Z by lia; apply IH;
      [exact B|cbn in J; lia]. }
  intros I; unfold d_log; rewrite inv_log by (pose proof (rank_ge_1 i ltac:(lia)); lra).
  specialize (X discounts 2%Z (i - 1)%nat discounts_right ltac:(cbn; lia)).
  replace (INR i + 1) with (IZR (2 + Z.of_nat (i - 1))); [exact X|].
  rewrite INR_IZR_INZ, <- plus_IZR; f_equal; lia.
Qed.

Lemma lower_nonneg i : (0 <= lower i)%Z.
Proof.
  unfold lower; destruct (nth_in_or_default (i - 1) discounts 0%Z) as [I|E]; [|rewrite E; lia].
  revert I; generalize (nth (i - 1) discounts 0%Z); apply Forall_forall.
  repeat constructor; lia.
Qed.
(** f(a + 1) + ... + f(a + n), of whole numbers *)
Fixpoint sum_Z (f : nat -> Z.t) a n : Z.t :=
  match n with O => 0 | S k => sum_Z f a k + f (a + S k)%nat end%Z.
Lemma sum_Z_le f h a n : (forall i, (a < i <= a + n)%nat -> IZR (f i) <= h i) ->
  IZR (sum_Z f a n) <= sum_to (shift a h) n.
Proof.
  induction n as [|n IH]; intros H; [cbn; lra|]; cbn [sum_Z sum_to]; rewrite plus_IZR.
  apply Rplus_le_compat; [apply IH; intros; apply H; lia|apply H; lia].
Qed.
Lemma sum_Z_ge f h a n : (forall i, (a < i <= a + n)%nat -> h i <= IZR (f i)) ->
  sum_to (shift a h) n <= IZR (sum_Z f a n).
Proof.
  induction n as [|n IH]; intros H; [cbn; lra|]; cbn [sum_Z sum_to]; rewrite plus_IZR.
  apply Rplus_le_compat; [apply IH; intros; apply H; lia|apply H; lia].
Qed.
Definition upper i := (lower i + 2)%Z.
Definition square (f : nat -> Z.t) i := (f i * f i)%Z.
(** beta(R, C) < p/q, and p/q <= beta(R, C), by these numbers *)
Definition below R C p q : bool :=
  (sum_Z upper 0 R * sum_Z (square upper) R (C - R) * q <?
   p * sum_Z lower R (C - R) * sum_Z (square lower) 0 R)%Z.
Definition not_below R C p q : bool :=
  (p * sum_Z upper R (C - R) * sum_Z (square upper) 0 R <=?
   sum_Z lower 0 R * sum_Z (square lower) R (C - R) * q)%Z.

Lemma sums_of_discounts a n : (a + n <= 67)%nat -> let d := d_log 2 in let u := 16777216 in
  IZR (sum_Z lower a n) <= u * sum_to (shift a d) n <= IZR (sum_Z upper a n) /\
  IZR (sum_Z (square lower) a n) <= u * u * sum_to (shift a (fun i => d i * d i)) n <=
  IZR (sum_Z (square upper) a n).
Proof.
  intros L d u; rewrite <- !sum_to_scale.
  assert (forall i, (a < i <= a + n)%nat -> IZR (lower i) <= u * d i <= IZR (upper i)) as B.
  { intros i I; unfold upper; rewrite plus_IZR; apply lower_right; lia. }
  assert (forall i, (a < i <= a + n)%nat -> 0 <= IZR (lower i)) as N.
  { intros i I; apply (IZR_le 0), lower_nonneg. }
  split; split; [apply (sum_Z_le _ (fun i => u * d i))|apply (sum_Z_ge _ (fun i => u * d i))|
    apply (sum_Z_le _ (fun i => u * u * (d i * d i)))|
    apply (sum_Z_ge _ (fun i => u * u * (d i * d i)))]; intros i I; specialize (B i I);
    specialize (N i I); try tauto; unfold square; rewrite mult_IZR;
    replace (u * u * (d i * d i)) with (u * d i * (u * d i)) by ring;
    apply Rmult_le_compat; lra.
Qed.
Lemma below_right R C p q : (1 <= R < C)%nat -> (C <= 67)%nat -> (0 <= p)%Z -> (0 < q)%Z ->
  (below R C p q = true -> beta (d_log 2) (d_log 2) R C < IZR p / IZR q) /\
  (not_below R C p q = true -> IZR p / IZR q <= beta (d_log 2) (d_log 2) R C).
Proof.
  intros I L P Q0; pose proof d_log_positive as D; set (d := d_log 2) in *.
  apply IZR_le in P; apply IZR_lt in Q0.
  assert (beta d d R C < IZR p / IZR q <-> sum_to d R * (S_of d d C - S_of d d R) * IZR q <
    IZR p * (sum_to d C - sum_to d R) * S_of d d R) as X.
  { rewrite beta_less by assumption; destruct (beta_parts d d R C D D I) as [[D1 D2] [S1 S2]].
    replace (sum_to d R / S_of d d R * (S_of d d C - S_of d d R))
      with (sum_to d R * (S_of d d C - S_of d d R) / S_of d d R) by (field; lra).
    rewrite div_lt by assumption; replace (IZR p / IZR q * (sum_to d C - sum_to d R) * S_of d d R)
      with (IZR p * (sum_to d C - sum_to d R) * S_of d d R / IZR q) by (field; lra).
    apply lt_div; assumption. }
  destruct (sums_of_discounts 0 R ltac:(lia)) as [[A1 A2] [A3 A4]].
  destruct (sums_of_discounts R (C - R) ltac:(lia)) as [[B1 B2] [B3 B4]].
  fold d in A1, A2, A3, A4, B1, B2, B3, B4.
  change (sum_to (shift 0 d) R) with (sum_to d R) in A1, A2.
  change (sum_to (shift 0 (fun i => d i * d i)) R) with (S_of d d R) in A3, A4.
  unfold S_of in X at 1; rewrite (split_sum d R C), (split_sum (fun i => d i * d i) R C) in X
    by lia; fold (S_of d d R) in X.
  replace (S_of d d R + sum_to (shift R (fun i => d i * d i)) (C - R) - S_of d d R)
    with (sum_to (shift R (fun i => d i * d i)) (C - R)) in X by ring.
  replace (sum_to d R + sum_to (shift R d) (C - R) - sum_to d R) with (sum_to (shift R d) (C - R))
    in X by ring.
  assert (forall a n, 0 <= sum_to (shift a d) n /\ 0 <= sum_to (shift a (fun i => d i * d i)) n)
    as N.
  { intros a n; split; apply sum_to_nonneg; intros i Hi; unfold shift;
    pose proof (D (a + i)%nat ltac:(lia)); nra. }
  assert (forall a n, (a + n <= 67)%nat -> 0 <= IZR (sum_Z lower a n) /\
    0 <= IZR (sum_Z (square lower) a n)) as NL.
  { intros a n Hn; split; rewrite <- (sum_to_zero (shift a (fun _ => 0)) n) by reflexivity;
    apply sum_Z_ge; intros i Hi; apply (IZR_le 0); pose proof (lower_nonneg i); unfold square; nia.
      }
  destruct (N 0%nat R) as [N1 N2]; destruct (N R (C - R)%nat) as [N3 N4].
  change (sum_to (shift 0 d) R) with (sum_to d R) in N1.
  change (sum_to (shift 0 (fun i => d i * d i)) R) with (S_of d d R) in N2.
  destruct (NL 0%nat R ltac:(lia)) as [M1 M2]; destruct (NL R (C - R)%nat ltac:(lia)) as [M3 M4].
  set (u := 16777216) in *; assert (0 < u * u * u) as U by (unfold u; lra).
  set (s := sum_to d R) in *; set (t := S_of d d R) in *; set (s' := sum_to (shift R d) (C - R)) in
    *.
  set (t' := sum_to (shift R (fun i => d i * d i)) (C - R)) in *.
  assert (forall a b c a' b', 0 <= a <= a' -> 0 <= b <= b' -> 0 <= c -> a * b * c <= a' * b' * c)
    as up.
  { intros a b c a' b' HA HB HC; apply Rmult_le_compat_r; [assumption|apply Rmult_le_compat; lra]. }
  assert (0 <= u * s /\ 0 <= u * u * t /\ 0 <= u * s' /\ 0 <= u * u * t') as (P1 & P2 & P3 & P4) by
    (repeat split; apply Rmult_le_pos; assumption || (unfold u; lra)).
  split; unfold below, not_below; intros Y.
  - apply X, (Rmult_lt_reg_l (u * u * u)); [assumption|].
    apply Z.ltb_lt, IZR_lt in Y; rewrite !mult_IZR in Y.
    pose proof (up (u * s) (u * u * t') (IZR q) _ _ (conj P1 A2)
      (conj P4 B4) ltac:(lra)) as Y1.
    pose proof (up _ _ (IZR p) (u * s') (u * u * t) (conj M3 B1) (conj M2 A3) P) as Y2.
    lra.
  - apply Rnot_lt_le; intros W; apply X, (Rmult_lt_compat_l (u * u * u)) in W; [|assumption].
    apply Z.leb_le, IZR_le in Y; rewrite !mult_IZR in Y.
    pose proof (up (u * s') (u * u * t) (IZR p) _ _ (conj P3 B2)
      (conj P2 A4) P) as Y1.
    pose proof (up _ _ (IZR q) (u * s) (u * u * t') (conj M1 A1) (conj M4 B3) ltac:(lra)) as Y2.
    lra.
Qed.
Lemma exp2_rises : rises exp2.
Proof. intros x y [L| ->]; [apply Rlt_le, GAIN_2_L1; assumption|lra]. Qed.
Lemma exp2_nat n : exp2 (INR n) = 2 ^ n - 1.
Proof. unfold exp2; rewrite Rpower_pow by lra; reflexivity. Qed.
Lemma ideal_of_labels L m rest : ideal (map INR L) = m :: rest -> exists a, m = INR a.
Proof.
  intros E; assert (In m (map INR L)) as I by (eapply Permutation_in;
    [symmetry; apply DCG_4_L1|rewrite E; left; reflexivity]).
  apply in_map_iff in I; destruct I as (a & A & _); eauto.
Qed.
(** For integer labels, a lower one has at most the gain of the next integer below the highest. *)
Lemma integer_labels_agree z M d w L m rest : positive_to_end d -> positive_to_end w -> falls d ->
  falls w -> (1 <= M)%nat -> 0 < z -> let J := map INR L in ideal J = INR m :: rest ->
  let R := Nat.min M (count (INR m) J) in let n := Nat.min M (length J) in
  ((R < n)%nat -> exp2 (INR (m - 1)) / exp2 (INR m) <= beta d w R n) ->
  ildcg_eq7 z M d w exp2 J = ildcg z M d w (map exp2 J).
Proof.
  intros D W F G HM Z J E R n B; apply (agree_where z M d w exp2 J (INR m) rest);
  auto using exp2_rises, regular_positive.
  { apply Forall_map, Forall_forall; intros; apply exp2_nonneg, pos_INR. }
  intros P R' rho I L' _ C; fold R in R'; subst R'; pose proof (highest_count J _ rest E) as CJ.
  assert (C <= n)%nat as Cn by (unfold C, n, shown; pose proof (at_least_length rho J); lia).
  destruct (Nat.le_gt_cases C R) as [CR|CR].
  { replace (C - R)%nat with 0%nat by lia; cbn [sum_to].
    enough (R <= C)%nat by (replace C with R by lia; lra); unfold R, C, shown.
    enough (count (INR m) J <= at_least rho J)%nat by lia; apply at_least_ideal; [lia|].
    rewrite (highest_first J (INR m) rest) by (assumption || lia); split; [lia|lra]. }
  set (x := exp2 (INR (m - 1)) / exp2 (INR m)) in *.
  assert (x <= beta d w R C) as X.
  { eapply Rle_trans; [apply B; lia|]; apply beta_falls; auto; unfold R; lia. }
  apply Rle_trans with (x * (sum_to d C - sum_to d R)).
  - rewrite (split_sum d R C) by lia.
    replace (sum_to d R + sum_to (shift R d) (C - R) - sum_to d R)
      with (sum_to (shift R d) (C - R)) by ring; rewrite <- sum_to_scale; apply sum_to_le.
    intros i Hi; unfold shift; apply Rmult_le_compat_r; [apply Rlt_le, D; lia|].
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
    assert (n <= length J)%nat by (unfold n; lia).
    assert (C <= M)%nat by (unfold C, shown; lia).
    set (y := at_rank (ideal J) (R + i)); assert (In y J) as Y by (apply ideal_In; lia).
    apply in_map_iff in Y; destruct Y as (a & A & Y); rewrite <- A; apply exp2_rises, le_INR.
    assert (~ INR m <= y) as N.
    { intros N; assert (R + i <= at_least (INR m) J)%nat as K by
        (apply at_least_ideal; [lia|split; [lia|assumption]]).
      rewrite <- (count_highest J (INR m) rest E) in K; unfold R in *; lia. }
    rewrite <- A in N; apply Rnot_le_lt, INR_lt in N; lia.
  - apply Rnot_lt_le; intros Y; apply beta_less in Y; auto; [lra|unfold R in *; lia].
Qed.
Lemma ratio_of_gains m : (1 <= m)%nat -> exp2 (INR (m - 1)) / exp2 (INR m) =
  IZR (2 ^ Z.of_nat (m - 1) - 1) / IZR (2 ^ Z.of_nat m - 1) /\
  exp2 (INR (m - 1)) / exp2 (INR m) < 1 / 2.
Proof.
  intros I; rewrite !exp2_nat, !minus_IZR, <- !pow_IZR; split; [reflexivity|].
  destruct m as [|m]; [lia|]; replace (S m - 1)%nat with m by lia.
  pose proof (pow_R1_Rle 2 m ltac:(lra)); rewrite <- tech_pow_Rmult; apply div_lt; lra.
Qed.

(** The smallest number of shown items at which the two can differ, R = 1, ..., 6; None: never *)
Definition smallest (m R : nat) : option nat :=
  let row : list nat := match m with
    | 0 | 1 => []
    | 2 => [25; 32; 39; 48; 57; 67]
    | 3 => [10; 12; 13; 15; 17; 19]
    | 4 => [7; 8; 9; 10; 12; 13]
    | 5 => [6; 7; 8; 9; 10; 11]
    | 6 => [6; 7; 7; 8; 9; 10]
    | 7 => [6; 7; 7; 8; 9; 10]
    | _ => [6; 6; 7; 8; 9; 9]
    end%nat in nth (R - 1) (map Some row) None.
Definition limit (R : nat) := nth (R - 1) [6; 6; 7; 8; 8; 9]%nat 0%nat.

(** Such a number, checked by the two comparisons *)
Definition differs_at R C p q :=
  (below R C p q && (not_below R (C - 1) p q || (C =? S R)%nat))%bool.
Lemma differs_at_right R C p q : (1 <= R < C)%nat -> (C <= 67)%nat -> (0 <= p)%Z -> (0 < q)%Z ->
  differs_at R C p q = true ->
  beta (d_log 2) (d_log 2) R C < IZR p / IZR q /\
  forall n, (R < n < C)%nat -> IZR p / IZR q <= beta (d_log 2) (d_log 2) R n.
Proof.
  intros I L P Q0 X; unfold differs_at in X; apply andb_prop in X; destruct X as [X Y]; split.
  - apply below_right; assumption.
  - intros n Hn; apply Bool.orb_prop in Y; destruct Y as [Y|Y]; [|apply Nat.eqb_eq in Y; lia].
    apply below_right in Y; try assumption; try lia; eapply Rle_trans; [exact Y|].
    apply beta_falls; auto using d_log_positive, d_log_falls; lia.
Qed.
(** RS-LEN-8/L5: for integer labels and the defaults they agree as long as at most 5 items are shown
    ... *)
Theorem LEN_8_L5 z M L : (1 <= M)%nat -> 0 < z -> let J := map INR L in
  (Nat.min M (length J) <= 5)%nat ->
  ildcg_eq7 z M (d_log 2) (d_log 2) exp2 J = ildcg z M (d_log 2) (d_log 2) (map exp2 J).
Proof.
  intros HM Z J N; destruct (ideal J) as [|x rest] eqn:E.
  { pose proof (DCG_4_L1 J) as P; rewrite E in P; apply Permutation_sym, Permutation_nil in P.
    rewrite P; unfold ildcg_eq7, ildcg; cbn; rewrite Nat.min_0_r; reflexivity. }
  destruct (ideal_of_labels L x rest E) as (m & ->); pose proof (highest_count J _ rest E).
  apply (integer_labels_agree z M _ _ L m rest); auto using d_log_positive, d_log_falls.
  fold J; intros K; set (n := Nat.min M (length J)) in *; set (R := Nat.min M (count (INR m) J)) in
    *.
  assert (1 <= R)%nat by (unfold R; lia); clearbody R n.
  assert (IZR 1 / IZR 2 <= beta (d_log 2) (d_log 2) R 5) as X.
  { apply below_right; try lia; assert (R = 1 \/ R = 2 \/ R = 3 \/ R = 4)%nat as C by lia.
    destruct C as [->|[->|[->| ->]]]; vm_compute; reflexivity. }
  apply Rle_trans with (1 / 2).
  - destruct m as [|m]; [|apply Rlt_le, (ratio_of_gains (S m)); lia].
    cbn [Nat.sub INR]; rewrite exp2_0; unfold Rdiv; lra.
  - eapply Rle_trans; [exact X|]; apply beta_falls; auto using d_log_positive, d_log_falls; lia.
Qed.
(** RS-LEN-8/L5: ... with 6 they can differ, as for m = 5 and R = 1: the table has the smallest
    number C of shown items; they differ where R items have the label m, and C - R the label m - 1
    ... *)
Theorem LEN_8_L5_table m R C : (1 <= m <= 8)%nat -> (1 <= R <= 6)%nat -> smallest m R = Some C ->
  let J := two_labels (INR m) R (INR (m - 1)) (C - R) in
  (forall z M, (C <= M)%nat -> 0 < z ->
   ildcg_eq7 z M (d_log 2) (d_log 2) exp2 J <> ildcg z M (d_log 2) (d_log 2) (map exp2 J)) /\
  forall z M L rest, let J := map INR L in (1 <= M)%nat -> 0 < z -> ideal J = INR m :: rest ->
  Nat.min M (count (INR m) J) = R -> (Nat.min M (length J) < C)%nat ->
  ildcg_eq7 z M (d_log 2) (d_log 2) exp2 J = ildcg z M (d_log 2) (d_log 2) (map exp2 J).
Proof.
  intros Hm HR T J; assert (R < C /\ C <= 67 /\ differs_at R C (2 ^ Z.of_nat (m - 1) - 1)
    (2 ^ Z.of_nat m - 1) = true)%nat as (C1 & C2 & X).
  { clear J; assert (In m (seq 1 8)) as I1 by (apply in_seq; lia).
    assert (In R (seq 1 6)) as I2 by (apply in_seq; lia); cbn in I1, I2.
    decompose [or] I1; try contradiction; subst m; decompose [or] I2; try contradiction; subst R;
    cbn in T; try discriminate; injection T as <-; repeat split; try lia; vm_compute; reflexivity. }
  assert (0 < 2 ^ Z.of_nat (m - 1))%Z by (apply Z.pow_pos_nonneg; lia).
  assert (1 < 2 ^ Z.of_nat m)%Z by (apply Z.pow_gt_1; lia).
  apply differs_at_right in X; try lia; destruct X as [X1 X2].
  destruct (ratio_of_gains m ltac:(lia)) as [RG _]; rewrite <- RG in *.
  pose proof (lt_INR (m - 1) m ltac:(lia)) as ML; split.
  - intros z M HM Z; apply two_labels_differ; auto using d_log_positive, d_log_falls, exp2_rises;
    try lia; [apply exp2_nonneg, pos_INR| |].
    + rewrite <- exp2_0; apply GAIN_2_L1; apply lt_0_INR; lia.
    + replace (Nat.min M (R + (C - R))) with C by lia; exact X1.
  - intros z M L rest J' HM Z E ER N.
    apply (integer_labels_agree z M _ _ L m rest); auto using d_log_positive, d_log_falls.
    fold J'; rewrite ER; intros K; apply X2; lia.
Qed.
(** RS-LEN-8/L5: ... never in the row of the labels 0 and 1 ... *)
Theorem LEN_8_L5_never z M L rest : (1 <= M)%nat -> 0 < z -> let J := map INR L in
  ideal J = INR 1 :: rest ->
  ildcg_eq7 z M (d_log 2) (d_log 2) exp2 J = ildcg z M (d_log 2) (d_log 2) (map exp2 J).
Proof.
  intros HM Z J E; apply (LEN_8_L4_gains z M _ _ exp2 J 1 rest); auto using exp2_rises.
  - apply regular_positive; auto using d_log_positive, d_log_falls.
  - apply Forall_map, Forall_forall; intros; apply exp2_nonneg, pos_INR.
  - intros x I L'; apply in_map_iff in I; destruct I as (a & <- & I); change 1 with (INR 1) in L'.
    apply INR_lt in L'; replace a with 0%nat by lia; apply exp2_0.
Qed.
(** RS-LEN-8/L5: ... and the last row is that of all large m; no m has a smaller number *)
Theorem LEN_8_L5_limit R : (1 <= R <= 6)%nat -> let C := limit R in
  (forall m z M, (12 <= m)%nat -> (C <= M)%nat -> 0 < z ->
   let J := two_labels (INR m) R (INR (m - 1)) (C - R) in
   ildcg_eq7 z M (d_log 2) (d_log 2) exp2 J <> ildcg z M (d_log 2) (d_log 2) (map exp2 J)) /\
  forall m z M L rest, let J := map INR L in (1 <= m)%nat -> (1 <= M)%nat -> 0 < z ->
  ideal J = INR m :: rest -> Nat.min M (count (INR m) J) = R -> (Nat.min M (length J) < C)%nat ->
  ildcg_eq7 z M (d_log 2) (d_log 2) exp2 J = ildcg z M (d_log 2) (d_log 2) (map exp2 J).
Proof.
  intros HR C; assert (R < C /\ C <= 67 /\ below R C 4995 10000 = true /\
    (not_below R (C - 1) 1 2 || (C =? S R)%nat)%bool = true)%nat as (C1 & C2 & X1 & X2).
  { unfold C; assert (In R (seq 1 6)) as I by (apply in_seq; lia); cbn in I.
    decompose [or] I; try contradiction; subst R; cbn [limit Nat.sub nth]; repeat split; try lia;
    vm_compute; reflexivity. }
  apply below_right in X1; try lia; split.
  - intros m z M Hm HM Z J; pose proof (lt_INR (m - 1) m ltac:(lia)) as ML.
    apply two_labels_differ; auto using d_log_positive, d_log_falls, exp2_rises;
    try lia; [apply exp2_nonneg, pos_INR| |].
    + rewrite <- exp2_0; apply GAIN_2_L1; apply lt_0_INR; lia.
    + replace (Nat.min M (R + (C - R))) with C by lia; eapply Rlt_trans; [exact X1|].
      rewrite !exp2_nat; replace m with (S (m - 1)) at 2 by lia; rewrite <- tech_pow_Rmult.
      assert (2 ^ 11 <= 2 ^ (m - 1)) by (apply Rle_pow; [lra|lia]); apply lt_div; lra.
  - intros m z M L rest J Hm HM Z E ER N.
    apply (integer_labels_agree z M _ _ L m rest); auto using d_log_positive, d_log_falls.
    fold J; rewrite ER; intros K; apply Rle_trans with (IZR 1 / IZR 2);
      [apply Rlt_le, ratio_of_gains; assumption|].
    apply Bool.orb_prop in X2; destruct X2 as [X2|X2]; [|apply Nat.eqb_eq in X2; lia].
    apply below_right in X2; try lia; eapply Rle_trans; [exact X2|].
    apply beta_falls; auto using d_log_positive, d_log_falls; lia.
Qed.

(** * Two results *)

Lemma d_log_1 : d_log 2 1 = 1.
Proof.
  unfold d_log, log; cbn [INR]; replace (1 + 1) with 2 by ring; field; pose proof (ln_pos 2); lra.
Qed.
Lemma d_log_2 : d_log 2 2 = 1 / log 2 3.
Proof. unfold d_log; cbn [INR]; do 2 f_equal; lra. Qed.
Lemma regular_log : regular (d_log 2) (d_log 2).
Proof. apply regular_positive; auto using d_log_positive, d_log_falls. Qed.
Lemma linear_rises : rises linear.
Proof. intros x y L; exact L. Qed.

(** RS-LEN-6/L3: with the linear gain and the defaults, {9, 9} has 9 D(2)/S(2), about 10.4990, and
    {10, 9} and {10, 9, 9} have 10 *)
Theorem LEN_6_L3 M : let v := ildcg_eq7 1 M (d_log 2) (d_log 2) linear in
  ((2 <= M)%nat -> v [9; 9] = 9 * sum_to (d_log 2) 2 / S_of (d_log 2) (d_log 2) 2 /\
   10.49895 < v [9; 9] < 10.49905) /\
  ((1 <= M)%nat -> v [10; 9] = 10 /\ v [10; 9; 9] = 10).
Proof.
  assert (forall m rest, StronglySorted Rge (m :: rest) -> ildcg_eq7 1 M (d_log 2) (d_log 2) linear
    (m :: rest) = quotient (m * sum_to (d_log 2) (Nat.min M (count m (m :: rest))))
      (1 * S_of (d_log 2) (d_log 2) (Nat.min M (count m (m :: rest))))) as X.
  { intros m rest S; unfold ildcg_eq7, ideal; rewrite best_sorted by assumption; reflexivity. }
  assert (count 9 [9; 9] = 2%nat /\ count 10 [10; 9] = 1%nat /\ count 10 [10; 9; 9] = 1%nat)
    as (C1 & C2 & C3).
  { unfold count; cbn; repeat (destruct (Req_EM_T _ _); cbn; try lra); auto. }
  intros v; unfold v; split; intros HM.
  - rewrite X by (repeat constructor; lra); rewrite C1, Nat.min_r by lia.
    pose proof (regular_pos _ _ 2 regular_log ltac:(lia)) as P; unfold quotient.
    destruct (Rlt_dec _ _) as [_|N]; [|lra]; rewrite Rmult_1_l; split; [reflexivity|].
    unfold S_of; cbn [sum_to]; rewrite d_log_1, d_log_2; unfold log; split; enclose.
  - rewrite !X by (repeat constructor; lra); rewrite C2, C3, !Nat.min_r by lia.
    unfold S_of; cbn [sum_to]; rewrite d_log_1; unfold quotient; destruct (Rlt_dec _ _); lra.
Qed.
(** RS-LEN-8/L6: ... with the linear gain and the defaults they agree for {2, 1} and differ for {3,
    2}: 2/3 > 1/log_2 3, about 0.6309 ... *)
Theorem LEN_8_L6_linear z M : (2 <= M)%nat -> 0 < z -> let d := d_log 2 in
  ildcg_eq7 z M d d linear [2; 1] = ildcg z M d d (map linear [2; 1]) /\
  ildcg_eq7 z M d d linear [3; 2] <> ildcg z M d d (map linear [3; 2]) /\
  1 / log 2 3 < 2 / 3 /\ 0.63085 < 1 / log 2 3 < 0.63095.
Proof.
  intros HM Z d; pose proof (d_log_positive 2%nat ltac:(lia)) as D2; rewrite d_log_2 in D2.
  assert (0.63085 < 1 / log 2 3 < 0.63095) as B by (unfold log; split; enclose).
  repeat split; try tauto; try lra.
  - assert (~ (ildcg_eq7 z M d d linear [2; 1] <> ildcg z M d d (map linear [2; 1]))) as N.
    { rewrite LEN_8_L6; auto using regular_log, linear_rises; unfold d, linear; try lra;
      rewrite ?d_log_1, ?d_log_2; lra. }
    destruct (Req_dec (ildcg_eq7 z M d d linear [2; 1]) (ildcg z M d d (map linear [2; 1])));
    tauto.
  - apply LEN_8_L6; auto using regular_log, linear_rises; unfold d, linear; try lra;
    rewrite ?d_log_1, ?d_log_2; lra.
Qed.
Lemma exp2_log x : 0 < x -> exp2 (log 2 x) = x - 1.
Proof.
  intros P; unfold exp2, Rpower, log; replace (ln x / ln 2 * ln 2) with (ln x) by
    (field; pose proof (ln_pos 2); lra); rewrite exp_ln by assumption; reflexivity.
Qed.
Lemma exp2_less x y : exp2 x < exp2 y <-> x < y.
Proof.
  split; [|apply GAIN_2_L1]; intros L; apply Rnot_le_lt; intros N.
  pose proof (exp2_rises y x N); lra.
Qed.
(** log_2 (1 + lambda (2^m - 1)), the least second label for which a share lambda of the gain of m
    is not enough *)
Definition threshold lambda m := log 2 (1 + lambda * exp2 m).
Lemma below_threshold lambda m x : 0 < lambda -> 0 <= m ->
  (lambda * exp2 m < exp2 x <-> threshold lambda m < x).
Proof.
  intros P M0; pose proof (exp2_nonneg m M0); rewrite <- (exp2_less (threshold lambda m) x).
  unfold threshold; rewrite exp2_log by nra; split; lra.
Qed.
(** For large m it is m - log_2 (1 / lambda), as near as one likes. *)
Lemma threshold_limit lambda e : 0 < lambda < 1 -> 0 < e -> exists m0, 0 <= m0 /\ forall m, m0 < m
  ->
  m - log 2 (/ lambda) <= threshold lambda m < m - log 2 (/ lambda) + e.
Proof.
  intros L E; pose proof (ln_pos 2 ltac:(lra)) as L2; set (c := (1 - lambda) / lambda).
  assert (0 < c) by (apply Rdiv_lt_0_compat; lra).
  assert (0 < ln 2 * ln 2 * e) by (repeat apply Rmult_lt_0_compat; lra).
  exists (c / (ln 2 * ln 2 * e)); split; [apply div_nonneg; lra|]; intros m M0.
  apply div_lt in M0; [|assumption].
  set (p := Rpower 2 m); assert (m * ln 2 < p) as B.
  { unfold p, Rpower; pose proof (exp_ineq1_le (m * ln 2)); lra. }
  assert (0 < m) by (apply Rnot_le_lt; intros N; nra).
  assert (0 < m * ln 2) by nra; assert (0 < c / p) by (apply Rdiv_lt_0_compat; lra).
  assert (threshold lambda m = m - log 2 (/ lambda) + ln (1 + c / p) / ln 2) as ->.
  { unfold threshold, log, exp2; fold p.
    replace (1 + lambda * (p - 1)) with (lambda * p * (1 + c / p)) by (unfold c; field; lra).
    rewrite !ln_mult, ln_Rinv by nra; unfold p at 1, Rpower; rewrite ln_exp; field; lra. }
  pose proof (ln_le_minus_1 (1 + c / p) ltac:(lra)); pose proof (ln_pos (1 + c / p) ltac:(lra)).
  assert (c / p < e * ln 2) as X by (apply div_lt; [lra|]; nra); split.
  - enough (0 <= ln (1 + c / p) / ln 2) by lra; apply div_nonneg; lra.
  - enough (ln (1 + c / p) / ln 2 < e) by lra; apply div_lt; lra.
Qed.
Lemma log_inverse_of_share : log 2 (/ (1 / log 2 3)) = log 2 (log 2 3) /\
  0.66435 < log 2 (log 2 3) < 0.66445.
Proof.
  split; [f_equal; unfold log; field; pose proof (ln_pos 2); pose proof (ln_pos 3); lra|].
  unfold log; split; enclose.
Qed.
(** RS-LEN-8/L6: ... with the gain 2^r - 1 and real labels they differ if and only if rho > log_2 (1
    + (2^m - 1) / log_2 3), for m = 1, 2, 3 above 0.7057, 1.5325, 2.4374 ... *)
Theorem LEN_8_L6_real z M m rho : (2 <= M)%nat -> 0 < z -> 0 <= rho < m -> let d := d_log 2 in
  (ildcg_eq7 z M d d exp2 [m; rho] <> ildcg z M d d (map exp2 [m; rho]) <->
   log 2 (1 + exp2 m / log 2 3) < rho) /\
  Rabs (log 2 (1 + exp2 1 / log 2 3) - 0.7057) < 0.00005 /\
  Rabs (log 2 (1 + exp2 2 / log 2 3) - 1.5325) < 0.00005 /\
  Rabs (log 2 (1 + exp2 3 / log 2 3) - 2.4374) < 0.00005.
Proof.
  intros HM Z R1 d; pose proof (d_log_positive 2%nat ltac:(lia)) as D2; split.
  - rewrite LEN_8_L6; auto using regular_log, exp2_rises; try lra.
    + unfold d; rewrite d_log_1, Rmult_1_r, Rmult_comm; rewrite d_log_2 in *.
      rewrite below_threshold by lra; unfold threshold, Rdiv; rewrite Rmult_1_l.
      rewrite (Rmult_comm (/ log 2 3)); reflexivity.
    + apply exp2_nonneg; lra.
    + rewrite <- exp2_0; apply GAIN_2_L1; lra.
  - replace 1 with (INR 1) at 2 by reflexivity; replace 2 with (INR 2) at 6 by reflexivity.
    replace 3 with (INR 3) at 3 by (cbn; lra).
    unfold log; repeat split; unfold exp2, Rpower; cbn [INR]; enclose.
Qed.
(** RS-LEN-8/L6: ... and for large m where m - rho is below log_2 log_2 3, about 0.6644 *)
Theorem LEN_8_L6_large e : 0 < e -> exists m0, forall z M m rho, (2 <= M)%nat -> 0 < z ->
  m0 < m -> 0 <= rho < m -> let d := d_log 2 in
  (m - rho < log 2 (log 2 3) - e ->
   ildcg_eq7 z M d d exp2 [m; rho] <> ildcg z M d d (map exp2 [m; rho])) /\
  (log 2 (log 2 3) < m - rho ->
   ildcg_eq7 z M d d exp2 [m; rho] = ildcg z M d d (map exp2 [m; rho])).
Proof.
  intros E; assert (0 < 1 / log 2 3 < 1) as L by (unfold log; split; enclose).
  destruct (threshold_limit (1 / log 2 3) e L E) as (m0 & P & T); exists m0.
  intros z M m rho HM Z M0 R1 d; destruct (LEN_8_L6_real z M m rho HM Z R1) as [X _].
  specialize (T m M0); rewrite (proj1 log_inverse_of_share) in T; unfold threshold in T.
  replace (1 / log 2 3 * exp2 m) with (exp2 m / log 2 3) in T by (unfold Rdiv; ring); split; intros
    Y.
  - apply X; lra.
  - destruct (Req_dec (ildcg_eq7 z M d d exp2 [m; rho]) (ildcg z M d d (map exp2 [m; rho])))
      as [|N]; [assumption|]; apply X in N; lra.
Qed.
(** RS-LEN-8/L7: with integer labels, the discount 1 / log_2(i + 1) and the prior "zipf", they agree
    among 2 shown items ... *)
Theorem LEN_8_L7 z M L : (1 <= M)%nat -> 0 < z -> let J := map INR L in
  (Nat.min M (length J) <= 2)%nat ->
  ildcg_eq7 z M (d_log 2) d_zipf exp2 J = ildcg z M (d_log 2) d_zipf (map exp2 J).
Proof.
  intros HM Z J N; destruct (ideal J) as [|x rest] eqn:E.
  { pose proof (DCG_4_L1 J) as P; rewrite E in P; apply Permutation_sym, Permutation_nil in P.
    rewrite P; unfold ildcg_eq7, ildcg; cbn; rewrite Nat.min_0_r; reflexivity. }
  destruct (ideal_of_labels L x rest E) as (m & ->); pose proof (highest_count J _ rest E).
  pose proof (strictly_falls d_zipf (proj2 DISC_4_L1)) as [ZF _].
  assert (positive_to_end d_zipf) as ZP by
    (intros i I; destruct DISC_4_L1 as [_ X]; specialize (X i I); lra).
  apply (integer_labels_agree z M _ _ L m rest); auto using d_log_positive, d_log_falls.
  fold J; intros K; set (n := Nat.min M (length J)) in *; set (R := Nat.min M (count (INR m) J)) in
    *.
  assert (1 <= R)%nat by (unfold R; lia); replace R with 1%nat by lia; replace n with 2%nat by lia.
  apply Rle_trans with (1 / 2).
  - destruct m as [|m]; [|apply Rlt_le, (ratio_of_gains (S m)); lia].
    cbn [Nat.sub INR]; rewrite exp2_0; unfold Rdiv; lra.
  - right; pose proof (d_log_positive 2%nat ltac:(lia)); unfold beta, S_of; cbn [sum_to].
    rewrite d_log_1; unfold d_zipf; cbn [INR]; field; lra.
Qed.
(** RS-LEN-8/L7: ... and differ among 3: {3, 2, 2} *)
Theorem LEN_8_L7_three z M : (3 <= M)%nat -> 0 < z ->
  ildcg_eq7 z M (d_log 2) d_zipf exp2 [3; 2; 2] <>
  ildcg z M (d_log 2) d_zipf (map exp2 [3; 2; 2]).
Proof.
  intros HM Z; pose proof (strictly_falls d_zipf (proj2 DISC_4_L1)) as [ZF _].
  assert (positive_to_end d_zipf) as ZP by
    (intros i I; destruct DISC_4_L1 as [_ X]; specialize (X i I); lra).
  pose proof (exp2_nat 2) as E2; pose proof (exp2_nat 3) as E3; cbn [INR pow] in E2, E3.
  replace (1 + 1 + 1) with 3 in E3 by lra; replace (1 + 1) with 2 in E2 by lra.
  apply (two_labels_differ z M _ _ exp2 3 1 2 2); auto using d_log_positive, d_log_falls,
    exp2_rises;
    try lia; try lra.
  rewrite Nat.min_r, E2, E3 by lia; unfold beta, S_of; cbn [sum_to Nat.add]; rewrite d_log_1.
  unfold d_log, log, d_zipf; cbn [INR]; enclose.
Qed.

(** RS-LEN-10/L2: ... so for the defaults, w(2)/w(1) = 1/log_2 3, and for the prior "zipf" *)
Theorem LEN_10_L2_defaults z M a b : (2 <= M)%nat -> 0 < z -> (b < a)%nat ->
  C1 (fun r => ldcg z M (d_log 2) (d_log 2) (map exp2 r)) (INR a) (INR a) (INR b) /\
  C1 (fun r => ldcg z M (d_log 2) d_zipf (map exp2 r)) (INR a) (INR a) (INR b) /\
  d_log 2 2 / d_log 2 1 = 1 / log 2 3.
Proof.
  intros HM Z I; pose proof d_log_1 as D1; pose proof d_log_2 as D2.
  assert (0.63085 < 1 / log 2 3) by (unfold log; enclose).
  repeat split; [apply LEN_10_L2|apply LEN_10_L2|rewrite D1, D2; lra]; try assumption;
  try (unfold setting; repeat split); try lia; rewrite ?D1, ?D2; unfold d_zipf; cbn [INR]; lra.
Qed.

(** RS-LEN-10/L3: ... for large r1 that is r1 - r3 <= log_2 (1/lambda), 0.6644 for the defaults *)
Theorem LEN_10_L3_large lambda e : 0 < lambda < 1 -> 0 < e ->
  (exists m0, forall z M d w r1 r3, setting z M d w -> 0 < d 2%nat -> w 2%nat / w 1%nat = lambda ->
   m0 < r1 -> r3 < r1 -> let fails := ~ C1 (fun r => ldcg z M d w (map exp2 r)) r1 r1 r3 in
   (r1 - r3 <= log 2 (/ lambda) - e -> fails) /\ (log 2 (/ lambda) < r1 - r3 -> ~ fails)) /\
  log 2 (/ (d_log 2 2 / d_log 2 1)) = log 2 (log 2 3) /\ 0.66435 < log 2 (log 2 3) < 0.66445.
Proof.
  intros L E; split.
  - destruct (threshold_limit lambda e L E) as (m0 & P & T); exists m0.
    intros z M d w r1 r3 H D2 W M0 R3 fails; specialize (T r1 M0); unfold threshold in T.
    pose proof (LEN_10_L3 z M d w r1 r3 H D2 ltac:(lra) R3) as X; rewrite W in X; fold fails in
      X.
    split; intros Y; [apply X; lra|]; intros F; apply X in F; lra.
  - rewrite d_log_1, d_log_2; replace (1 / log 2 3 / 1) with (1 / log 2 3) by lra.
    exact log_inverse_of_share.
Qed.
(** RS-LEN-10/L4: ... with the defaults the first integer labels at which it fails are 3 and 2 *)
Theorem LEN_10_L4_first z M a b : (2 <= M)%nat -> 0 < z -> (b < a <= 3)%nat ->
  (~ C1 (fun r => ldcg z M (d_log 2) (d_log 2) (map linear r)) (INR a) (INR a) (INR b) <->
   a = 3%nat /\ b = 2%nat).
Proof.
  intros HM Z I; pose proof (d_log_positive 2%nat ltac:(lia)) as D2.
  rewrite LEN_10_L4; [|unfold setting; rewrite d_log_1; repeat split; lia || lra|assumption|
    apply lt_INR; lia]; rewrite d_log_1, d_log_2.
  assert (0.63085 < 1 / log 2 3 / 1 < 0.63095) as B by (unfold log; split; enclose).
  set (x := 1 / log 2 3 / 1) in *; clearbody x.
  assert (In a (seq 1 3) /\ In b (seq 0 3)) as [A0 B0] by (split; apply in_seq; lia).
  cbn in A0, B0; decompose [or] A0; try contradiction; subst a; decompose [or] B0;
  try contradiction; subst b; try lia; cbn [INR]; split; try lia; try lra; intros; exfalso; lra.
Qed.
(** RS-LEN-10/L6: ... but with the ideal "shown" nDCG can satisfy C1: with the pool {2, 2, 1}, the
    linear gain and k = 3, it is 1 for <2>, and 0.8066 for <2, 1> *)
Theorem LEN_10_L6_shown : let v r := ndcg_shown 3 (d_log 2) (map linear r) [2; 2; 1] in
  v [2] = 1 /\ Rabs (v [2; 1] - 0.8066) < 0.00005 /\ C1 v 2 2 1.
Proof.
  pose proof d_log_1 as D1; pose proof d_log_2 as D2; intros v.
  assert (ideal [2; 2; 1] = [2; 2; 1]) as E by (apply best_sorted; repeat constructor; lra).
  pose proof (d_log_positive 2%nat ltac:(lia)) as P2; assert (v [2] = 1) as V1.
  { unfold v, ndcg_shown, ndcg_by, idcg, dcg, at_rank; rewrite E; cbn; rewrite D1.
    unfold linear, quotient; destruct (Rlt_dec _ _); [field|lra]. }
  assert (v [2; 1] = (2 + d_log 2 2) / (2 + 2 * d_log 2 2)) as V2.
  { unfold v, ndcg_shown, ndcg_by, idcg, dcg, at_rank; rewrite E; cbn; rewrite D1.
    unfold linear, quotient; destruct (Rlt_dec _ _); [field; lra|lra]. }
  assert (Rabs (v [2; 1] - 0.8066) < 0.00005) as V3 by
    (rewrite V2, D2; unfold log; enclose).
  split; [exact V1|]; split; [exact V3|]; intros _ _; rewrite V1; apply Rabs_def2 in V3; lra.
Qed.
(** RS-LEN-9/L6: ... for the defaults 1, 0.8572, 0.7734 *)
Theorem LEN_9_L6_defaults : let d := d_log 2 in
  let v M := S_of d d M / (d 1%nat * sum_to d M) in
  v 1%nat = 1 /\ Rabs (v 2%nat - 0.8572) < 0.00005 /\ Rabs (v 3%nat - 0.7734) < 0.00005.
Proof.
  intros d v; unfold v, d, S_of; cbn [sum_to]; rewrite d_log_1; split; [field|].
  unfold d_log, log; cbn [INR]; split; enclose.
Qed.

(** RS-DISC-7/L3: ... nDCG of <0, 1> is 1 / log_b (b + 1), 0.63 with b = 2 and 0.86 with b = 4 *)
Theorem DISC_7_L3_ndcg b k : 1 < b -> (2 <= k)%nat ->
  ndcg k (d_jiang_2016 b) [0; 1] [0; 1] = 1 / log b (b + 1) /\
  Rabs (1 / log 2 3 - 0.63) < 0.005 /\ Rabs (1 / log 4 5 - 0.86) < 0.005.
Proof.
  intros B K; split; [|unfold log; split; enclose].
  assert (ideal [0; 1] = [1; 0]) as E by
    (unfold ideal; cbn; destruct (Rle_dec 1 0); [lra|reflexivity]).
  unfold ndcg, ndcg_by, idcg; rewrite E, !dcg_all by (cbn; lia); unfold whole, at_rank; cbn.
  destruct (DISC_7_L2 b B) as [D1 D2]; specialize (D2 1%nat ltac:(lia)); rewrite D1.
  rewrite !Rmult_0_l, !Rmult_1_l, !Rplus_0_l, Rplus_0_r; unfold quotient.
  destruct (Rlt_dec _ _); [|lra]; unfold d_jiang_2016; cbn [INR].
  replace (1 + 1 + b - 1) with (b + 1) by ring; unfold Rdiv; rewrite Rinv_1; ring.
Qed.
