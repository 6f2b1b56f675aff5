; Made of packed.c by `python -m native`; SHA-256 of that file and what it includes:
; a952bacef7a49e1412eba35c5a006d9f9f031d59938d9e97c285ebb19e90e861

%struct.head = type { i32, i32, i64, i64, [3 x i64] }
%struct.texts = type { ptr, ptr, ptr }

define void @measure_packed(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = load i64, ptr %0, align 8
  %4 = icmp sgt i64 %3, 0
  br i1 %4, label %5, label %12

5:                                                ; preds = %1
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = getelementptr inbounds i8, ptr %0, i64 48
  %9 = getelementptr inbounds i8, ptr %2, i64 24
  %10 = getelementptr inbounds i8, ptr %0, i64 120
  %11 = getelementptr inbounds i8, ptr %0, i64 128
  br label %13

12:                                               ; preds = %65, %1
  ret void

13:                                               ; preds = %5, %65
  %14 = phi i64 [ 0, %5 ], [ %70, %65 ]
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds i64, ptr %15, i64 %14
  %17 = load i64, ptr %16, align 8
  %18 = load ptr, ptr %7, align 8
  %19 = getelementptr inbounds i64, ptr %18, i64 %14
  %20 = load i64, ptr %19, align 8
  br label %21

21:                                               ; preds = %44, %13
  %22 = phi i64 [ 0, %13 ], [ %47, %44 ]
  %23 = getelementptr inbounds %struct.texts, ptr %8, i64 %22
  %24 = icmp eq i64 %22, 2
  %25 = select i1 %24, i64 -2, i64 -1
  %26 = getelementptr inbounds i8, ptr %23, i64 8
  %27 = load ptr, ptr %26, align 8
  %28 = icmp eq ptr %27, null
  br i1 %28, label %44, label %29

29:                                               ; preds = %21
  %30 = getelementptr inbounds i8, ptr %23, i64 16
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %37, label %33

33:                                               ; preds = %29
  %34 = getelementptr inbounds i8, ptr %31, i64 %17
  %35 = load i8, ptr %34, align 1
  %36 = icmp eq i8 %35, 0
  br i1 %36, label %37, label %44

37:                                               ; preds = %33, %29
  %38 = getelementptr i64, ptr %27, i64 %17
  %39 = getelementptr i8, ptr %38, i64 8
  %40 = load i64, ptr %39, align 8
  %41 = load i64, ptr %38, align 8
  %42 = xor i64 %41, -1
  %43 = add i64 %40, %42
  br label %44

44:                                               ; preds = %37, %33, %21
  %45 = phi i64 [ %25, %21 ], [ %43, %37 ], [ -1, %33 ]
  %46 = getelementptr inbounds i64, ptr %9, i64 %22
  store i64 %45, ptr %46, align 8
  %47 = add i64 %22, 1
  %48 = icmp eq i64 %47, 3
  br i1 %48, label %49, label %21

49:                                               ; preds = %44
  %50 = load ptr, ptr %10, align 8
  %51 = shl i64 %20, 32
  %52 = ashr i64 %51, 32
  %53 = getelementptr inbounds i64, ptr %50, i64 %52
  %54 = load i64, ptr %53, align 8
  %55 = add i64 %54, 1
  store i64 %55, ptr %53, align 8
  br label %56

56:                                               ; preds = %56, %49
  %57 = phi i64 [ 0, %49 ], [ %63, %56 ]
  %58 = phi i64 [ 48, %49 ], [ %62, %56 ]
  %59 = getelementptr inbounds i64, ptr %9, i64 %57
  %60 = load i64, ptr %59, align 8
  %61 = call i64 @llvm.smax.i64(i64 %60, i64 0)
  %62 = add i64 %61, %58
  %63 = add i64 %57, 1
  %64 = icmp eq i64 %63, 3
  br i1 %64, label %65, label %56

65:                                               ; preds = %56
  %66 = load ptr, ptr %11, align 8
  %67 = getelementptr inbounds i64, ptr %66, i64 %52
  %68 = load i64, ptr %67, align 8
  %69 = add i64 %68, %62
  store i64 %69, ptr %67, align 8
  %70 = add i64 %14, 1
  %71 = load i64, ptr %0, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %13, label %12
}

define void @pack_records(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = load i64, ptr %0, align 8
  %4 = icmp sgt i64 %3, 0
  br i1 %4, label %5, label %18

5:                                                ; preds = %1
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = getelementptr inbounds i8, ptr %0, i64 24
  %9 = getelementptr inbounds i8, ptr %2, i64 4
  %10 = getelementptr inbounds i8, ptr %0, i64 32
  %11 = getelementptr inbounds i8, ptr %2, i64 8
  %12 = getelementptr inbounds i8, ptr %0, i64 40
  %13 = getelementptr inbounds i8, ptr %2, i64 16
  %14 = getelementptr inbounds i8, ptr %0, i64 48
  %15 = getelementptr inbounds i8, ptr %2, i64 24
  %16 = getelementptr inbounds i8, ptr %0, i64 144
  %17 = getelementptr inbounds i8, ptr %0, i64 136
  br label %19

18:                                               ; preds = %88, %1
  ret void

19:                                               ; preds = %5, %88
  %20 = phi i64 [ 0, %5 ], [ %89, %88 ]
  %21 = load ptr, ptr %6, align 8
  %22 = getelementptr inbounds i64, ptr %21, i64 %20
  %23 = load i64, ptr %22, align 8
  %24 = load ptr, ptr %7, align 8
  %25 = getelementptr inbounds i64, ptr %24, i64 %20
  %26 = load i64, ptr %25, align 8
  %27 = trunc i64 %26 to i32
  store i32 %27, ptr %2, align 8
  %28 = load ptr, ptr %8, align 8
  %29 = getelementptr inbounds i32, ptr %28, i64 %23
  %30 = load i32, ptr %29, align 4
  store i32 %30, ptr %9, align 4
  %31 = load ptr, ptr %10, align 8
  %32 = getelementptr inbounds i64, ptr %31, i64 %23
  %33 = load i64, ptr %32, align 8
  store i64 %33, ptr %11, align 8
  %34 = load ptr, ptr %12, align 8
  %35 = getelementptr inbounds i64, ptr %34, i64 %23
  %36 = load i64, ptr %35, align 8
  store i64 %36, ptr %13, align 8
  br label %37

37:                                               ; preds = %60, %19
  %38 = phi i64 [ 0, %19 ], [ %63, %60 ]
  %39 = getelementptr inbounds %struct.texts, ptr %14, i64 %38
  %40 = icmp eq i64 %38, 2
  %41 = select i1 %40, i64 -2, i64 -1
  %42 = getelementptr inbounds i8, ptr %39, i64 8
  %43 = load ptr, ptr %42, align 8
  %44 = icmp eq ptr %43, null
  br i1 %44, label %60, label %45

45:                                               ; preds = %37
  %46 = getelementptr inbounds i8, ptr %39, i64 16
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, null
  br i1 %48, label %53, label %49

49:                                               ; preds = %45
  %50 = getelementptr inbounds i8, ptr %47, i64 %23
  %51 = load i8, ptr %50, align 1
  %52 = icmp eq i8 %51, 0
  br i1 %52, label %53, label %60

53:                                               ; preds = %49, %45
  %54 = getelementptr i64, ptr %43, i64 %23
  %55 = getelementptr i8, ptr %54, i64 8
  %56 = load i64, ptr %55, align 8
  %57 = load i64, ptr %54, align 8
  %58 = xor i64 %57, -1
  %59 = add i64 %56, %58
  br label %60

60:                                               ; preds = %53, %49, %37
  %61 = phi i64 [ %41, %37 ], [ %59, %53 ], [ -1, %49 ]
  %62 = getelementptr inbounds i64, ptr %15, i64 %38
  store i64 %61, ptr %62, align 8
  %63 = add i64 %38, 1
  %64 = icmp eq i64 %63, 3
  br i1 %64, label %65, label %37

65:                                               ; preds = %60
  %66 = load ptr, ptr %16, align 8
  %67 = load ptr, ptr %17, align 8
  %68 = shl i64 %26, 32
  %69 = ashr i64 %68, 32
  %70 = getelementptr inbounds i64, ptr %67, i64 %69
  %71 = load i64, ptr %70, align 8
  %72 = getelementptr inbounds i8, ptr %66, i64 %71
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %72, ptr align 8 %2, i64 48, i1 false)
  br label %73

73:                                               ; preds = %73, %65
  %74 = phi i64 [ 0, %65 ], [ %80, %73 ]
  %75 = phi i64 [ 48, %65 ], [ %79, %73 ]
  %76 = getelementptr inbounds i64, ptr %15, i64 %74
  %77 = load i64, ptr %76, align 8
  %78 = call i64 @llvm.smax.i64(i64 %77, i64 0)
  %79 = add i64 %78, %75
  %80 = add i64 %74, 1
  %81 = icmp eq i64 %80, 3
  br i1 %81, label %82, label %73

82:                                               ; preds = %73
  %83 = load ptr, ptr %17, align 8
  %84 = getelementptr inbounds i64, ptr %83, i64 %69
  %85 = load i64, ptr %84, align 8
  %86 = add i64 %85, %79
  store i64 %86, ptr %84, align 8
  %87 = getelementptr inbounds i8, ptr %72, i64 48
  br label %92

88:                                               ; preds = %110
  %89 = add i64 %20, 1
  %90 = load i64, ptr %0, align 8
  %91 = icmp slt i64 %89, %90
  br i1 %91, label %19, label %18

92:                                               ; preds = %82, %110
  %93 = phi i64 [ 0, %82 ], [ %112, %110 ]
  %94 = phi ptr [ %87, %82 ], [ %111, %110 ]
  %95 = getelementptr inbounds i64, ptr %15, i64 %93
  %96 = load i64, ptr %95, align 8
  %97 = icmp slt i64 %96, 1
  br i1 %97, label %110, label %98

98:                                               ; preds = %92
  %99 = getelementptr inbounds %struct.texts, ptr %14, i64 %93
  %100 = load ptr, ptr %99, align 8
  %101 = getelementptr inbounds i8, ptr %99, i64 8
  %102 = load ptr, ptr %101, align 8
  %103 = load ptr, ptr %6, align 8
  %104 = getelementptr inbounds i64, ptr %103, i64 %20
  %105 = load i64, ptr %104, align 8
  %106 = getelementptr inbounds i64, ptr %102, i64 %105
  %107 = load i64, ptr %106, align 8
  %108 = getelementptr inbounds i8, ptr %100, i64 %107
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %94, ptr align 1 %108, i64 %96, i1 false)
  %109 = getelementptr inbounds i8, ptr %94, i64 %96
  br label %110

110:                                              ; preds = %92, %98
  %111 = phi ptr [ %94, %92 ], [ %109, %98 ]
  %112 = add i64 %93, 1
  %113 = icmp eq i64 %112, 3
  br i1 %113, label %88, label %92
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias , ptr noalias , i64, i1 immarg)

define void @measure_unpacked(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = load i64, ptr %0, align 8
  %4 = icmp sgt i64 %3, 0
  br i1 %4, label %5, label %17

5:                                                ; preds = %1
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  %9 = getelementptr inbounds i8, ptr %0, i64 40
  %10 = getelementptr inbounds i8, ptr %2, i64 24
  %11 = getelementptr inbounds i8, ptr %2, i64 32
  %12 = getelementptr inbounds i8, ptr %0, i64 80
  %13 = getelementptr inbounds i8, ptr %2, i64 40
  %14 = getelementptr inbounds i8, ptr %0, i64 88
  %15 = getelementptr inbounds i8, ptr %0, i64 48
  %16 = getelementptr inbounds i8, ptr %0, i64 24
  br label %18

17:                                               ; preds = %77, %1
  ret void

18:                                               ; preds = %5, %77
  %19 = phi i64 [ 0, %5 ], [ %81, %77 ]
  %20 = load ptr, ptr %6, align 8
  %21 = getelementptr inbounds ptr, ptr %20, i64 %19
  %22 = load ptr, ptr %21, align 8
  %23 = load ptr, ptr %7, align 8
  %24 = getelementptr inbounds i64, ptr %23, i64 %19
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds i8, ptr %22, i64 %25
  %27 = icmp sgt i64 %25, 0
  br i1 %27, label %28, label %77

28:                                               ; preds = %18, %56
  %29 = phi i64 [ %58, %56 ], [ 0, %18 ]
  %30 = phi ptr [ %57, %56 ], [ %22, %18 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 1 %30, i64 48, i1 false)
  %31 = load i32, ptr %2, align 8
  %32 = sext i32 %31 to i64
  %33 = load i64, ptr %8, align 8
  %34 = sub i64 %32, %33
  %35 = load ptr, ptr %9, align 8
  %36 = getelementptr inbounds i64, ptr %35, i64 %34
  %37 = load i64, ptr %36, align 8
  %38 = add i64 %37, 1
  store i64 %38, ptr %36, align 8
  %39 = load i64, ptr %11, align 8
  %40 = icmp eq i64 %39, -1
  br i1 %40, label %42, label %41

41:                                               ; preds = %28
  store i64 1, ptr %12, align 8
  br label %42

42:                                               ; preds = %41, %28
  %43 = load i64, ptr %13, align 8
  %44 = icmp eq i64 %43, -2
  br i1 %44, label %45, label %46

45:                                               ; preds = %46, %42
  br label %60

46:                                               ; preds = %42
  store i64 1, ptr %14, align 8
  br label %45

47:                                               ; preds = %60, %47
  %48 = phi i64 [ %54, %47 ], [ 0, %60 ]
  %49 = phi i64 [ %53, %47 ], [ 48, %60 ]
  %50 = getelementptr inbounds i64, ptr %10, i64 %48
  %51 = load i64, ptr %50, align 8
  %52 = call i64 @llvm.smax.i64(i64 %51, i64 0)
  %53 = add i64 %52, %49
  %54 = add i64 %48, 1
  %55 = icmp eq i64 %54, 3
  br i1 %55, label %56, label %47

56:                                               ; preds = %47
  %57 = getelementptr inbounds i8, ptr %30, i64 %53
  %58 = add i64 %29, 1
  %59 = icmp ult ptr %57, %26
  br i1 %59, label %28, label %77

60:                                               ; preds = %45, %60
  %61 = phi i64 [ %75, %60 ], [ 0, %45 ]
  %62 = getelementptr inbounds i64, ptr %10, i64 %61
  %63 = load i64, ptr %62, align 8
  %64 = icmp eq i64 %63, -2
  %65 = select i1 %64, i64 0, i64 %61
  %66 = getelementptr inbounds i64, ptr %10, i64 %65
  %67 = load i64, ptr %66, align 8
  %68 = call i64 @llvm.smax.i64(i64 %67, i64 0)
  %69 = add i64 %68, 1
  %70 = getelementptr inbounds ptr, ptr %15, i64 %61
  %71 = load ptr, ptr %70, align 8
  %72 = getelementptr inbounds i64, ptr %71, i64 %34
  %73 = load i64, ptr %72, align 8
  %74 = add i64 %69, %73
  store i64 %74, ptr %72, align 8
  %75 = add i64 %61, 1
  %76 = icmp eq i64 %75, 3
  br i1 %76, label %47, label %60

77:                                               ; preds = %56, %18
  %78 = phi i64 [ 0, %18 ], [ %58, %56 ]
  %79 = load ptr, ptr %16, align 8
  %80 = getelementptr inbounds i64, ptr %79, i64 %19
  store i64 %78, ptr %80, align 8
  %81 = add i64 %19, 1
  %82 = load i64, ptr %0, align 8
  %83 = icmp slt i64 %81, %82
  br i1 %83, label %18, label %17
}

define void @unpack_records(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = alloca [3 x ptr], align 16
  %4 = load i64, ptr %0, align 8
  %5 = icmp sgt i64 %4, 0
  br i1 %5, label %6, label %21

6:                                                ; preds = %1
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = getelementptr inbounds i8, ptr %0, i64 16
  %9 = getelementptr inbounds i8, ptr %0, i64 32
  %10 = getelementptr inbounds i8, ptr %0, i64 40
  %11 = getelementptr inbounds i8, ptr %2, i64 4
  %12 = getelementptr inbounds i8, ptr %0, i64 96
  %13 = getelementptr inbounds i8, ptr %2, i64 8
  %14 = getelementptr inbounds i8, ptr %0, i64 104
  %15 = getelementptr inbounds i8, ptr %2, i64 16
  %16 = getelementptr inbounds i8, ptr %0, i64 112
  %17 = getelementptr inbounds i8, ptr %0, i64 192
  %18 = getelementptr inbounds i8, ptr %2, i64 24
  %19 = getelementptr inbounds i8, ptr %0, i64 120
  %20 = getelementptr inbounds i8, ptr %0, i64 48
  br label %22

21:                                               ; preds = %124, %1
  ret void

22:                                               ; preds = %6, %124
  %23 = phi i64 [ %4, %6 ], [ %125, %124 ]
  %24 = phi i64 [ 0, %6 ], [ %126, %124 ]
  %25 = phi i64 [ 0, %6 ], [ %127, %124 ]
  %26 = load ptr, ptr %7, align 8
  %27 = getelementptr inbounds ptr, ptr %26, i64 %25
  %28 = load ptr, ptr %27, align 8
  %29 = load ptr, ptr %8, align 8
  %30 = getelementptr inbounds i64, ptr %29, i64 %25
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds i8, ptr %28, i64 %31
  %33 = icmp sgt i64 %31, 0
  br i1 %33, label %34, label %124

34:                                               ; preds = %22, %80
  %35 = phi i64 [ %82, %80 ], [ %24, %22 ]
  %36 = phi ptr [ %81, %80 ], [ %28, %22 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 1 %36, i64 48, i1 false)
  %37 = load i32, ptr %2, align 8
  %38 = sext i32 %37 to i64
  %39 = load i64, ptr %9, align 8
  %40 = sub i64 %38, %39
  %41 = load ptr, ptr %10, align 8
  %42 = getelementptr inbounds i64, ptr %41, i64 %40
  %43 = load i64, ptr %42, align 8
  %44 = add i64 %43, 1
  store i64 %44, ptr %42, align 8
  %45 = load i32, ptr %11, align 4
  %46 = load ptr, ptr %12, align 8
  %47 = getelementptr inbounds i32, ptr %46, i64 %43
  store i32 %45, ptr %47, align 4
  %48 = load i64, ptr %13, align 8
  %49 = load ptr, ptr %14, align 8
  %50 = getelementptr inbounds i64, ptr %49, i64 %43
  store i64 %48, ptr %50, align 8
  %51 = load i64, ptr %15, align 8
  %52 = load ptr, ptr %16, align 8
  %53 = getelementptr inbounds i64, ptr %52, i64 %43
  store i64 %51, ptr %53, align 8
  %54 = load ptr, ptr %17, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %58, label %56

56:                                               ; preds = %34
  %57 = getelementptr inbounds i64, ptr %54, i64 %43
  store i64 %35, ptr %57, align 8
  br label %58

58:                                               ; preds = %56, %34
  %59 = getelementptr inbounds i8, ptr %36, i64 48
  br label %60

60:                                               ; preds = %58, %60
  %61 = phi i64 [ 0, %58 ], [ %68, %60 ]
  %62 = phi ptr [ %59, %58 ], [ %67, %60 ]
  %63 = getelementptr inbounds ptr, ptr %3, i64 %61
  store ptr %62, ptr %63, align 8
  %64 = getelementptr inbounds i64, ptr %18, i64 %61
  %65 = load i64, ptr %64, align 8
  %66 = call i64 @llvm.smax.i64(i64 %65, i64 0)
  %67 = getelementptr inbounds i8, ptr %62, i64 %66
  %68 = add i64 %61, 1
  %69 = icmp eq i64 %68, 3
  br i1 %69, label %84, label %60

70:                                               ; preds = %119
  br label %71

71:                                               ; preds = %71, %70
  %72 = phi i64 [ 0, %70 ], [ %78, %71 ]
  %73 = phi i64 [ 48, %70 ], [ %77, %71 ]
  %74 = getelementptr inbounds i64, ptr %18, i64 %72
  %75 = load i64, ptr %74, align 8
  %76 = call i64 @llvm.smax.i64(i64 %75, i64 0)
  %77 = add i64 %76, %73
  %78 = add i64 %72, 1
  %79 = icmp eq i64 %78, 3
  br i1 %79, label %80, label %71

80:                                               ; preds = %71
  %81 = getelementptr inbounds i8, ptr %36, i64 %77
  %82 = add i64 %35, 1
  %83 = icmp ult ptr %81, %32
  br i1 %83, label %34, label %122

84:                                               ; preds = %60, %119
  %85 = phi i64 [ %120, %119 ], [ 0, %60 ]
  %86 = getelementptr inbounds %struct.texts, ptr %19, i64 %85
  %87 = getelementptr inbounds i8, ptr %86, i64 8
  %88 = load ptr, ptr %87, align 8
  %89 = icmp eq ptr %88, null
  br i1 %89, label %119, label %90

90:                                               ; preds = %84
  %91 = getelementptr inbounds i64, ptr %18, i64 %85
  %92 = load i64, ptr %91, align 8
  %93 = icmp eq i64 %92, -2
  %94 = select i1 %93, i64 0, i64 %85
  %95 = getelementptr inbounds i64, ptr %18, i64 %94
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds ptr, ptr %20, i64 %85
  %98 = load ptr, ptr %97, align 8
  %99 = getelementptr inbounds i64, ptr %98, i64 %40
  %100 = load i64, ptr %99, align 8
  %101 = lshr i64 %96, 63
  %102 = trunc i64 %101 to i8
  %103 = getelementptr inbounds i8, ptr %86, i64 16
  %104 = load ptr, ptr %103, align 8
  %105 = getelementptr inbounds i8, ptr %104, i64 %43
  store i8 %102, ptr %105, align 1
  %106 = call i64 @llvm.smax.i64(i64 %96, i64 0)
  %107 = load ptr, ptr %86, align 8
  %108 = getelementptr inbounds i8, ptr %107, i64 %100
  %109 = getelementptr inbounds ptr, ptr %3, i64 %94
  %110 = load ptr, ptr %109, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %108, ptr align 1 %110, i64 %106, i1 false)
  %111 = load ptr, ptr %86, align 8
  %112 = add i64 %100, %106
  %113 = getelementptr inbounds i8, ptr %111, i64 %112
  store i8 10, ptr %113, align 1
  %114 = add i64 %112, 1
  %115 = load ptr, ptr %87, align 8
  %116 = getelementptr inbounds i64, ptr %115, i64 %44
  store i64 %114, ptr %116, align 8
  %117 = load ptr, ptr %97, align 8
  %118 = getelementptr inbounds i64, ptr %117, i64 %40
  store i64 %114, ptr %118, align 8
  br label %119

119:                                              ; preds = %84, %90
  %120 = add i64 %85, 1
  %121 = icmp eq i64 %120, 3
  br i1 %121, label %70, label %84

122:                                              ; preds = %80
  %123 = load i64, ptr %0, align 8
  br label %124

124:                                              ; preds = %122, %22
  %125 = phi i64 [ %23, %22 ], [ %123, %122 ]
  %126 = phi i64 [ %24, %22 ], [ %82, %122 ]
  %127 = add i64 %25, 1
  %128 = icmp slt i64 %127, %125
  br i1 %128, label %22, label %21
}

declare i64 @llvm.smax.i64(i64, i64)
